/* Reports of a phone in a hall with a bad network: kept on the phone until the program has answered, sent again with the
   same key, which the program stores once. Without this script the form is sent as any other.

   A form marked data-outbox is put into the box and sent from there; #outbox says what waits. The box belongs to one
   personal link. Only what found no answer waits in it: a report that was refused is out of the way of the next one at once,
   and stands beside the box, with its reason, until it is sent again, corrected or thrown away. */
(() => {
  "use strict";

  const told = document.getElementById("outbox");
  if (!told || !window.fetch) return;

  const NAME = `outbox-${told.dataset.link}`;
  const REFUSED = `refused-${told.dataset.link}`;
  const AGAIN = [2000, 4000, 8000, 15000]; // milliseconds until the next attempt; the last one stays
  const PATIENCE = 10000;
  const BUSY = [408, 425, 429]; // answers of a server that wants to be asked later
  const POINTS = ["own_points", "other_points"];

  let attempts = 0;
  let timer = 0;
  let sending = false;

  function recall(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  }

  function keep(name, value) {
    try {
      localStorage.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false; // no room, or a browser that keeps nothing: the form is sent as any other
    }
  }

  const load = () => recall(NAME) || [];
  const store = (box) => keep(NAME, box);
  const without = (gone) => load().filter((report) => report.key !== gone.key);

  function key() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /* ---- what is said ---- */

  function button(text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "btn btn-sm";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }

  function tell(mood, text, ...buttons) {
    const note = document.createElement("div");
    note.className = `note note-${mood}`;
    const said = document.createElement("p");
    said.textContent = text;
    note.append(said);
    if (buttons.length) {
      const row = document.createElement("div");
      row.className = "actions";
      row.append(...buttons);
      note.append(row);
    }
    told.replaceChildren(note);
  }

  function show() {
    const [first] = load();
    const refused = recall(REFUSED);
    if (first) return tell("warn", told.dataset.waiting.replace("%s", () => first.what), button(told.dataset.now, send));
    if (!refused) return told.replaceChildren();
    giveBack(refused);
    const text = told.dataset.gone.replace("%s", () => refused.what).replace("%r", () => refused.reason);
    const again = refused.asked ? told.dataset.sure : told.dataset.now;
    tell(refused.asked ? "warn" : "bad", text, button(again, () => sendAgain(refused)), button(told.dataset.drop, drop));
  }

  function drop() {
    keep(REFUSED, null);
    show();
  }

  /* What was refused stands in its form, to be corrected and sent once more: also after the page was opened again. */
  function giveBack(refused) {
    const form = [...document.querySelectorAll("form[data-outbox]")].find((each) => each.action === refused.url && hasFields(each));
    if (!form || POINTS.some((name) => form.elements[name].value)) return;
    for (const [name, value] of refused.values) {
      const field = form.elements[name];
      if (field && field.type !== "hidden") field.value = value;
    }
  }

  const hasFields = (form) => POINTS.every((name) => form.elements[name] && form.elements[name].type !== "hidden");

  /* ---- sending ---- */

  function later() {
    clearTimeout(timer);
    timer = setTimeout(send, AGAIN[Math.min(attempts, AGAIN.length - 1)]);
    attempts += 1;
  }

  async function post(report) {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort(), PATIENCE);
    try {
      return await fetch(report.url, {
        method: "POST",
        body: new URLSearchParams(report.values),
        headers: { "X-Requested-With": "outbox" },
        signal: stop.signal,
      });
    } finally {
      clearTimeout(patience);
    }
  }

  function refuse(report, reason, asked) {
    store(without(report));
    if (!load().some((later) => later.url === report.url)) keep(REFUSED, { ...report, reason, asked });
    for (const pressed of document.querySelectorAll("form[data-outbox] button")) pressed.disabled = false;
    show();
    send();
  }

  function sendAgain({ reason, asked, ...report }) {
    const values = asked ? [...report.values.filter(([name]) => name !== "asked"), ["asked", asked]] : report.values;
    keep(REFUSED, null);
    store([...load(), { ...report, values }]);
    send();
  }

  async function send() {
    const [report] = load();
    if (!report || sending) return;
    sending = true;
    clearTimeout(timer);
    let answer;
    try {
      answer = await post(report);
    } catch {
      answer = null;
    }
    const isOurs = answer && (answer.headers.get("Content-Type") || "").startsWith("application/json"); // no hotel's page
    const said = isOurs ? await answer.json().catch(() => null) : null;
    sending = false;
    if (said && answer.ok) {
      attempts = 0;
      store(without(report));
      if (load().length) return send();
      return location.reload();
    }
    if (said && answer.status === 422) {
      const { questions, asked, faults } = said;
      return refuse(report, (questions || faults).join(" "), questions ? asked : undefined);
    }
    if (answer && answer.status >= 400 && answer.status < 500 && !BUSY.includes(answer.status)) {
      return refuse(report, told.dataset.unknown);
    }
    show();
    later();
  }

  /* Boxes that were kept by an earlier version of this script hold refused reports among the others. */
  function sortOut() {
    const refused = load().filter((report) => report.refused);
    if (!refused.length) return;
    const { refused: reason, ...report } = refused[0];
    keep(REFUSED, { ...report, reason });
    store(load().filter((each) => !each.refused));
  }

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-outbox]");
    if (!form) return;
    const values = [...new FormData(form)].filter(([name]) => name !== "key");
    const points = POINTS.map((name) => (form.elements[name] || {}).value?.trim() || "");
    if (points.includes("")) {
      event.preventDefault();
      tell("bad", told.dataset.empty);
      return form.elements[POINTS[points.indexOf("")]].focus();
    }
    const report = { key: key(), url: form.action, what: form.dataset.what || points.join(" : ") };
    report.values = [...values, ["key", report.key]];
    /* Of one game only the last report counts: an earlier one that still waits, or was refused, has no use any more. */
    if (!store([...load().filter((each) => each.url !== report.url), report])) return; // as any other form
    event.preventDefault();
    if (recall(REFUSED)?.url === report.url) keep(REFUSED, null);
    for (const pressed of form.querySelectorAll("button")) pressed.disabled = true;
    send();
  });

  addEventListener("online", send);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  document.addEventListener("tso:news", show);
  sortOut();
  show();
  send();
})();
