/* The results grid by keyboard. Every row also works as a plain form; this only saves the trip. Needs save.js.

   Enter sends one row by itself and goes on at once; what comes back is swapped in by its id, and the cursor returns
   only if nothing has been typed elsewhere meanwhile. What is typed and not saved stays in the tab's own store; a row
   that found no answer is sent again by itself. */
(() => {
  "use strict";

  /* ---- a form that is left with something unsaved in it asks first ---- */

  let leaving = false;
  addEventListener("submit", (event) => { leaving = event.target.matches("#grid, #result"); });
  addEventListener("pageshow", () => { leaving = false; });
  saving.guard(() => !leaving && document.querySelector("[data-dirty]"));

  const single = document.querySelector("form#result");
  if (single) {
    single.addEventListener("input", () => { single.dataset.dirty = ""; });
    /* What was typed before htmx was there, or came back with the page, is looked at too. */
    addEventListener("load", () => {
      const typed = [...single.querySelectorAll("input:not([type=hidden]), textarea")];
      if (!typed.some((field) => field.value !== field.defaultValue)) return;
      single.dataset.dirty = "";
      single.dispatchEvent(new Event("change"));
    });
  }

  /* The buttons below the score are exchanged for others only: a click that is just being made on one would be lost. */
  let shown = "";
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "preview") return;
    if (detail.serverResponse === shown) detail.shouldSwap = false;
    shown = detail.serverResponse;
  });

  const form = document.querySelector("form#grid");
  if (!form) return;

  /* ---- finding one's way ---- */

  const jump = document.getElementById("jump");
  const rows = () => [...form.querySelectorAll(".grid-row")];
  const rowOf = (element) => element.closest(".grid-row");
  const inputs = (row) => [...row.querySelectorAll("input.score")];
  const isOpen = (row) => inputs(row).length > 0;
  const isFilled = (row) => inputs(row).some((input) => input.value.trim());
  const at = (table) => rows().find((row) => row.dataset.table === table.trim().replace(/^0+/, ""));

  function mark(row) {
    rows().forEach((other) => other.classList.toggle("row-now", other === row));
  }

  /* The row in use is higher than others on small screens: while the button is down nothing moves, else the click goes astray. */
  let pressed = false;
  const release = () => {
    pressed = false;
    if (form.contains(document.activeElement)) mark(rowOf(document.activeElement));
  };
  addEventListener("mousedown", () => { pressed = true; }, true);
  addEventListener("mouseup", () => setTimeout(release), true);
  addEventListener("keydown", () => { pressed = false; }, true);

  /* The step that comes when the round is complete. */
  const nextStep = () => form.querySelector("[data-next]");

  function go(row, column = 0) {
    if (!row) return (nextStep() || jump).focus();
    const target = inputs(row)[column] || row.querySelector(".grid-correct");
    target.focus();
    if (target.select) target.select();
    row.scrollIntoView({ block: "nearest" });
  }

  function nextOpen(row) {
    const all = rows();
    const behind = [...all.slice(all.indexOf(row) + 1), ...all.slice(0, all.indexOf(row))];
    return behind.find((other) => isOpen(other) && !other.dataset.sending);
  }

  /* ---- while somebody types ---- */

  const number = (input) => (/^\s*[+\-\u2212]?\d{1,4}\s*$/.test(input.value) ? Number(input.value.replace("\u2212", "-")) : null);

  function live(row) {
    if (!isOpen(row)) return;
    const [first, second] = inputs(row).map(number);
    const lead = first === null || second === null ? null : first - second;
    const shown = lead === null ? "" : lead > 0 ? `+${lead}` : String(lead).replace("-", "\u2212");
    row.querySelector("[data-spread]").textContent = shown;
    row.querySelector("[data-name=first]").classList.toggle("winner", lead > 0);
    row.querySelector("[data-name=second]").classList.toggle("winner", lead < 0);
    row.toggleAttribute("data-dirty", isFilled(row) || unsaved.has(row.id));
  }

  const store = saving.store(`grid ${form.getAttribute("action")}`);

  function remember() {
    const typed = rows().filter((row) => isOpen(row) && isFilled(row));
    const values = typed.map((row) => [row.id, ...inputs(row).map((input) => input.value)]);
    store.write(values.length ? values : null);
  }

  function restore() {
    let first = null;
    for (const [id, ...values] of store.read() || []) {
      const row = document.getElementById(id);
      if (!row || !isOpen(row) || isFilled(row)) continue;
      inputs(row).forEach((input, index) => { input.value = values[index]; });
      first ||= row;
    }
    if (first) go(first);
  }

  function discard(row) {
    unsaved.delete(row.id);
    inputs(row).forEach((input) => {
      input.value = "";
      input.classList.remove("is-invalid");
      input.removeAttribute("aria-invalid");
    });
    calm(row);
    row.querySelector("[name$='-asked']")?.remove();
    live(row);
    remember();
    go(row);
  }

  /* ---- saving one row ---- */

  const unsaved = new Map(); // rows that are sent again by themselves, each with what goes along

  const again = saving.retry(() => {
    for (const [id, extra] of unsaved) {
      const row = document.getElementById(id);
      if (!row) unsaved.delete(id);
      else if (!row.dataset.sending) send(row, extra);
    }
  });

  function calm(row) {
    row.classList.remove("has-note");
    row.querySelector(".grid-note")?.remove();
  }

  function complain(row, found) {
    if (row.querySelector(".grid-note")?.textContent.startsWith(found.fault)) return; // it stands there already
    calm(row);
    row.classList.add("has-note");
    const line = row.insertRow();
    line.className = "grid-note";
    const cell = line.insertCell();
    cell.colSpan = 7;
    cell.append(saving.note(found));
    saving.say(found.fault);
  }

  /* Answers may overtake each other: what is shown of the whole round stays the newest. */
  function show(parts, sent) {
    const overtaken = saving.isOvertaken(Number(parts.querySelector("[data-revision]").dataset.revision));
    holdStill(() => {
      saving.swap(parts, ".grid-row, #grid-lost", (old, fresh) => keepTyping(old, fresh, sent));
      saving.swap(parts, "#last-act, #grid-progress, #grid-next, #grid-missing, #grid-knockout-rounds", () => overtaken);
      const { rows: kept, open } = parts.querySelector("[data-rows]").dataset;
      if (!overtaken) drop(kept.split(" "));
      if (!overtaken) listPlaying(open.split(" "));
    });
    saving.say(parts.querySelector("#said").textContent);
  }

  /* In the knock-out a result can end games that were still open: they have no row any more. */
  function drop(kept) {
    rows().filter((row) => !kept.includes(row.id.replace("row-", "")) && !isFilled(row)).forEach((row) => row.remove());
  }

  /* Who is still playing, each with a link to the row: the server says the keys only, the names stand in the rows. */
  function listPlaying(open) {
    const card = document.getElementById("grid-playing");
    const playing = open.map((key) => document.getElementById(`row-${key}`)).filter(Boolean);
    card.hidden = !playing.length;
    card.querySelector("ul").replaceChildren(...playing.map((row) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const [first, second] = [...row.querySelectorAll("[data-name]")].map((cell) => cell.firstChild.textContent);
      link.href = `${form.action}&table=${row.dataset.table}`;
      link.dataset.go = link.textContent = row.dataset.table;
      item.append(link, ` ${first} – ${second}`);
      return item;
    }));
  }

  /* On phones a row that is saved leaves its place above the one that is typed in, which stays where it is on the screen. */
  function holdStill(act) {
    const top = () => rowOf(document.activeElement)?.getBoundingClientRect().top;
    const before = top();
    act();
    const after = top();
    if (before !== undefined && after !== undefined) scrollBy({ top: after - before, behavior: "instant" });
  }

  function keepTyping(old, fresh, sent) {
    inputs(fresh).forEach((input) => {
      const now = old.querySelector(`[name="${input.name}"]`);
      if (now && now.value !== sent.get(input.name)) input.value = now.value;
    });
  }

  let strokes = 0;
  addEventListener("keydown", () => { strokes += 1; }, true);

  async function send(row, extra = {}) {
    const data = new FormData();
    row.querySelectorAll("input[name]").forEach((input) => data.append(input.name, input.value));
    Object.entries(extra).forEach(([name, value]) => data.append(name, value));
    row.dataset.sending = "1";
    const before = strokes;
    const found = await saving.send(form, data, { mark: "[data-revision]" });
    const isRetried = unsaved.delete(row.id);
    delete row.dataset.sending;
    if (found.parts) {
      show(found.parts, data);
      settle(row.id, strokes === before && !isRetried);
      again.stop();
      if (unsaved.size) again.later();
    } else refuse(row, found, extra, strokes === before && !isRetried);
    remember();
  }

  /* The cursor goes back to the row, unless something is typed elsewhere; what is typed in it meanwhile waits for Enter. */
  function refuse(row, found, extra, free) {
    if (found.again) {
      unsaved.set(row.id, extra);
      again.later();
    }
    complain(row, found);
    live(row);
    if (free) go(row, 1);
  }

  function settle(id, free) {
    const row = document.getElementById(id);
    live(row);
    const wrong = inputs(row).findIndex((input) => input.getAttribute("aria-invalid"));
    if (free && isOpen(row)) go(row, wrong >= 0 ? wrong : 1);
    else if (document.activeElement === document.body) go(nextOpen(row));
  }

  /* Whoever leaves a typed row by Tab has it saved; left in any other way, or half typed, it says that it is not. */
  let tabbed = false;
  addEventListener("keydown", (event) => { tabbed = shortcuts.act(event) === "leave"; }, true);
  addEventListener("pointerdown", () => { tabbed = false; }, true);

  form.addEventListener("focusout", (event) => {
    const row = rowOf(event.target);
    if (!row || row.contains(event.relatedTarget) || !isOpen(row) || !isFilled(row) || row.dataset.sending) return;
    const isWhole = inputs(row).every((input) => input.value.trim());
    if (tabbed && isWhole && !row.classList.contains("has-note")) send(row);
    else saving.say(form.dataset.unsaved.replace("%s", row.dataset.table));
  });

  function save(row) {
    if (row.dataset.sending) return;
    const next = nextOpen(row);
    send(row, unsaved.get(row.id));
    if (next) go(next);
  }

  /* ---- keys ---- */

  function enter(event, row) {
    const [first, second] = inputs(row);
    event.preventDefault();
    const isAsked = first.value === first.defaultValue && row.querySelector("[name$='-asked']");
    if (event.target === first && first.value.trim() && !isAsked && !unsaved.has(row.id)) return go(row, 1);
    if (isFilled(row) || unsaved.has(row.id)) return save(row);
    go(nextOpen(row));
  }

  function walk(event, row, step) {
    const all = rows();
    const column = event.target.dataset.side === "second" ? 1 : 0;
    event.preventDefault();
    const target = all[row ? all.indexOf(row) + step : step > 0 ? 0 : all.length - 1];
    if (target) go(target, column);
    else if (step < 0) jump.focus();
  }

  form.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const row = rowOf(event.target);
    const act = shortcuts.act(event);
    if (act === "walk") return walk(event, row, event.key === "ArrowDown" ? 1 : -1);
    if (event.target === jump) {
      if (act === "enter") return jumpTo(event);
      if (act === "jump") return event.preventDefault();
      if (act === "discard" && !jump.value) document.querySelector(".frame nav > [aria-current]")?.focus();
      return;
    }
    if (!row || !event.target.matches("input.score")) return;
    if (act === "enter") return enter(event, row);
    if (act === "discard") return isFilled(row) || row.classList.contains("has-note") ? discard(row) : jump.focus();
    if (act === "jump") { event.preventDefault(); jump.focus(); }
  });

  function jumpTo(event) {
    event.preventDefault();
    const row = at(jump.value);
    const fault = document.getElementById("jump_error");
    fault.hidden = Boolean(row) || !jump.value.trim();
    jump.classList.toggle("is-invalid", !fault.hidden);
    if (!fault.hidden) {
      fault.textContent = fault.dataset.unknown.replace("%s", jump.value.trim());
      jump.setAttribute("aria-describedby", fault.id);
      saving.say(fault.textContent);
      return jump.select();
    }
    jump.value = "";
    go(row || nextOpen(null));
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const row = button && rowOf(button);
    if (!row || button.name === "more" || button.name === "take") return;
    event.preventDefault();
    if (button.name === "keep" || button.name === "absent") send(row, { [button.name]: button.value });
    else save(row);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-go]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(at(link.dataset.go));
  });

  form.addEventListener("input", (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    if (unsaved.delete(row.id)) calm(row);
    live(row);
    remember();
  });
  form.addEventListener("focusin", (event) => { if (!pressed) mark(rowOf(event.target)); });

  restore();
  remember();
  rows().forEach(live);
  form.querySelectorAll("input").forEach((input) => { input.autocomplete = "off"; });
})();
