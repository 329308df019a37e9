/* A score sheet by keyboard. Every line also works as a plain form; this only saves the trip. Needs save.js.

   Enter sends the line and goes on at once. Lines are sent one after the other, each with the version of the sheet that
   the one before has left; what is not saved yet stays in the tab's own store, so that neither a lost network nor a
   reload loses it. A line that the program refuses comes back into the fields, and what was being typed waits. */
(() => {
  "use strict";

  const entry = () => document.getElementById("entry");
  if (!entry()) return;

  const store = saving.store(`sheet ${location.pathname}`);
  const NAMES = ["side", "kind", "position", "word", "points", "rack", "note", "jury"];
  const TYPED = ["position", "word", "points", "rack", "note"];
  let queue = [];
  let kept = null;
  let refused = false;
  let running = null;
  let again = false;
  let stuck = null;

  const field = (name) => entry().elements[name];

  /* ---- what stands in the fields ---- */

  const values = () => Object.fromEntries(["mode", "number", ...NAMES].map((name) => [name, field(name).value]));
  const isTyped = (line) => TYPED.some((name) => line[name].trim());
  const adds = () => field("mode").value === "add";

  function fill(line) {
    NAMES.forEach((name) => { field(name).value = line[name]; });
    if (line.note || line.rack || line.jury || line.kind !== "play") entry().querySelector(".sheet-more").open = true;
  }

  function clear(side) {
    TYPED.forEach((name) => {
      field(name).value = "";
      field(name).classList.remove("is-invalid");
      field(name).removeAttribute("aria-invalid");
    });
    field("kind").value = "play";
    field("jury").value = "";
    field("side").value = side;
    chosen = false;
    document.getElementById("entry-faults")?.remove();
    refused = false;
    forget();
  }

  const showLast = () => [...document.querySelectorAll(".sheet-line")].pop()?.scrollIntoView({ block: "nearest" });
  const spoken = (line) => TYPED.map((name) => line[name].trim()).filter(Boolean).join(" ");

  /* Whose turn it is after a line. The answer knows better, and is believed as long as nobody has chosen otherwise. */
  let chosen = false;

  function sideAfter(line) {
    const isAdjustment = /^[!#]/.test(line.position.trim()) || ["challenge", "penalty"].includes(line.kind);
    if (isAdjustment) return line.side;
    return line.side === "1" ? "2" : "1";
  }

  /* ---- the store ---- */

  function remember() {
    const now = adds() && isTyped(values()) ? values() : null;
    store.write(queue.length || now || kept ? { queue, now, kept, refused } : null);
  }

  function restore() {
    const saved = store.read();
    if (!saved) return;
    ({ queue, kept } = saved);
    const free = adds() && !isTyped(values());
    if (free && saved.now) fill(saved.now);
    refused = free && saved.refused;
    show();
    pump();
  }

  function show() {
    const list = document.getElementById("sheet-pending");
    list.hidden = !queue.length && !stuck;
    list.replaceChildren(...queue.map((line) => {
      const item = document.createElement("li");
      item.textContent = `${spoken(line)} – ${entry().dataset.waiting}`;
      return item;
    }));
    if (!stuck) return;
    const item = document.createElement("li");
    item.append(saving.note(stuck));
    list.append(item);
  }

  /* ---- sending, one line after the other ---- */

  /* Whoever asks while lines are on their way waits for them, and has them tried once more if they get stuck. */
  function pump() {
    again = running !== null;
    running ||= run().finally(() => { running = null; });
    return running;
  }

  async function run() {
    do {
      again = false;
      stuck = null;
      show();
      while (queue.length && !refused && !stuck && await send(queue[0]));
    } while (stuck && again);
    remember();
    show();
    if (!queue.length && kept && adds() && !isTyped(values())) takeUp();
  }

  /* What had to wait for another line is in the fields again. */
  function takeUp() {
    fill(kept);
    kept = null;
    remember();
    propose();
  }

  async function send(line) {
    line.version ||= field("version").value;
    remember();
    const data = new FormData();
    [...NAMES, "mode", "number", "version"].forEach((name) => data.append(name, line[name]));
    const found = await saving.send(entry(), data, { mark: "[data-version]" });
    return found.parts ? settle(line, found.parts.querySelector("[data-version]")) : halt(found);
  }

  const later = saving.retry(() => pump());

  function halt(found) {
    TYPED.forEach((name) => { field(name).readOnly = false; });
    if (found.again && queue.length) later.later();
    else if (queue.length) bringBack(queue.shift());
    stuck = found;
    saving.say(found.fault);
    return false;
  }

  function settle(line, answer) {
    const isSaved = "saved" in answer.dataset;
    later.stop();
    queue.shift();
    const fresh = answer.querySelector("#entry");
    saving.swap(answer, "#sheet-lines, #sheet-beside, #last-act");
    saving.swap(answer, "#ending", (old) => old.contains(document.activeElement) || "dirty" in old.dataset);
    showLast();
    document.querySelectorAll("input[name=version]").forEach((input) => { input.value = answer.dataset.version; });
    saving.say(answer.querySelector("#said").textContent);
    if (!isSaved) return giveBack(line, fresh);
    if (line.stays) replaceEntry(fresh);
    else if (adds() && !queue.length && !chosen) field("side").value = fresh.elements.side.value;
    remember();
    return true;
  }

  /* A refused line comes back into the fields; what was being typed meanwhile waits until it is saved. */
  function giveBack(line, fresh) {
    if (!line.stays && adds() && isTyped(values())) kept = values();
    replaceEntry(fresh);
    refused = true;
    (entry().querySelector("[aria-invalid=true]") || field("position")).focus();
    saving.say(document.getElementById("entry-faults")?.textContent || "");
    remember();
    return false;
  }

  /* A line that the program took no look at, by whoever may not write any more for one: it holds up no other one. */
  function bringBack(line) {
    if (!line.stays) {
      if (adds() && isTyped(values())) kept = values();
      fill(line);
    }
    refused = true;
    remember();
  }

  function replaceEntry(fresh) {
    entry().replaceWith(document.adoptNode(fresh));
    refused = false;
    prepare();
    field("position").focus();
    field("position").select();
  }

  function save() {
    const line = values();
    if (!isTyped(line) && line.kind === "play" && adds()) return queue.length ? pump() : toTheEnd();
    line.stays = line.mode !== "add";
    /* A line that came back goes before those that wait behind it. */
    if (refused) queue.unshift(line);
    else queue.push(line);
    refused = false;
    if (line.stays) TYPED.forEach((name) => { field(name).readOnly = true; });
    else {
      clear(sideAfter(line));
      field("position").focus();
    }
    remember();
    show();
    return pump();
  }

  /* Enter on an empty line, when the game seems over, goes to what stands below the last turn. */
  function toTheEnd() {
    document.querySelector("#ending details[open] input:not([type=hidden])")?.focus();
  }

  /* ---- what the line would score ---- */

  let asked = 0;
  let timer = 0;

  function forget() {
    asked += 1;
    clearTimeout(timer);
    document.getElementById("proposal").replaceChildren();
    field("points").placeholder = "";
  }

  function propose() {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  }

  async function ask() {
    const line = values();
    const mine = (asked += 1);
    if (queue.length || line.position.trim().length < 2 || !/\p{L}/u.test(line.word)) return forget();
    const { parts } = await saving.send(entry(), new FormData(entry()), { address: entry().dataset.preview });
    if (mine !== asked) return;
    document.getElementById("proposal").replaceChildren(parts || "");  // Only a convenience: saving says what is wrong.
    compare();
  }

  function compare() {
    const shown = document.querySelector("#proposal [data-points]");
    const typed = field("points").value.trim();
    field("points").placeholder = shown ? shown.dataset.points : "";
    document.querySelector("#proposal .sheet-differs")?.remove();
    if (!shown || !typed || typed === shown.dataset.points) return;
    const note = document.createElement("p");
    note.className = "note note-warn sheet-differs";
    note.textContent = entry().dataset.differs.replace("%1", typed).replace("%2", shown.dataset.points);
    shown.after(note);
  }

  /* ---- going to other lines ---- */

  async function load(query) {
    if (queue.length) await pump();
    if (queue.length) return;
    const half = values();
    if (adds() && isTyped(half)) kept = half;
    try {
      const answer = await fetch(location.pathname + query);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      saving.swap(page, "#sheet-lines, #sheet-beside, #last-act");
      showLast();
      replaceEntry(page.getElementById("entry"));
    } catch {
      halt(saving.faultOf(entry()));
      return show();
    }
    document.querySelector(".sheet-line.row-now")?.scrollIntoView({ block: "nearest" });
    if (adds() && kept) takeUp();
    remember();
  }

  const lastLine = () => document.querySelectorAll("#sheet-lines .sheet-line").length;

  function walk(step) {
    const now = field("mode").value === "change" ? Number(field("number").value) : lastLine() + 1;
    const next = now + step;
    if (next < 1 || (adds() && step > 0)) return;
    load(next > lastLine() ? "" : `?line=${next}`);
  }

  /* ---- keys ---- */

  const PLACE = /^(?:\d{1,2}[a-z]|[a-z]\d{1,2})$/i;
  const next = { position: "word", word: "points" };

  function onSpace(event) {
    const { name, value } = event.target;
    if (!next[name] || !value.trim() || /^[#!]/.test(field("position").value.trim())) return;
    event.preventDefault();
    field(next[name]).focus();
    field(next[name]).select();
  }

  function onEnter(event) {
    const { name, value } = event.target;
    if (!TYPED.includes(name) && event.target.name !== "side") return;
    event.preventDefault();
    if (name === "position" && PLACE.test(value.trim()) && !field("word").value.trim()) return field("word").focus();
    save();
  }

  function onEscape() {
    if (!adds()) return load("");
    clear(field("side").value);
    field("position").focus();
    if (kept) takeUp();
    remember();
    pump();
  }

  function onKey(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const typing = event.target.matches("input:not([type=radio])");
    const act = shortcuts.act(event);
    if (act === "delete" && !adds()) {
      event.preventDefault();
      return entry().querySelector("[data-delete]")?.click();
    }
    if (act === "enter") return onEnter(event);
    if (act === "discard") return onEscape();
    if (act === "space" && typing) return onSpace(event);
    if (act === "insert" && field("mode").value === "change") return load(`?before=${field("number").value}`);
    if (act === "walk" && typing) {
      event.preventDefault();
      return walk(event.key === "ArrowUp" ? -1 : 1);
    }
    if (act === "side" && event.target.name === "position" && !event.target.value) {
      event.preventDefault();
      field("side").value = field("side").value === "1" ? "2" : "1";
      chosen = true;
      saving.say(entry().querySelector("[name=side]:checked").parentElement.textContent);
      propose();
    }
  }

  function prepare() {
    const form = entry();
    form.addEventListener("keydown", onKey);
    form.addEventListener("submit", (event) => {
      if (event.submitter?.hasAttribute("formaction")) return;
      event.preventDefault();
      save();
    });
    form.addEventListener("input", (event) => {
      remember();
      if (event.target.name === "side") chosen = true;
      if (event.target.name === "points") compare();
      else if (NAMES.includes(event.target.name)) propose();
    });
    show();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line], [data-before], [data-back]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    load(new URL(link.href).search);
  });

  document.addEventListener("input", (event) => {
    const ending = event.target.closest("#ending");
    if (ending) ending.dataset.dirty = "";
  });
  saving.guard(() => queue.length);

  prepare();
  restore();
  showLast();
})();
