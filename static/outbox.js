/* Reports of a phone in a hall with a bad network: kept on the phone until the program has answered, sent again with the
   same key, which the program stores once. Without this script the form is sent as any other.

   A form marked data-outbox is put into the box and sent from there; #outbox says what waits. The box belongs to one
   personal link. */
(() => {
  "use strict";

  const told = document.getElementById("outbox");
  if (!told || !window.fetch) return;

  const NAME = `outbox-${told.dataset.link}`;
  const AGAIN = [2000, 4000, 8000, 15000]; // milliseconds until the next attempt; the last one stays
  const PATIENCE = 10000;

  let attempts = 0;
  let timer = 0;
  let sending = false;

  function load() {
    try {
      return JSON.parse(localStorage.getItem(NAME)) || [];
    } catch {
      return [];
    }
  }

  function store(box) {
    try {
      localStorage.setItem(NAME, JSON.stringify(box));
      return true;
    } catch {
      return false; // no room, or a browser that keeps nothing: the form is sent as any other
    }
  }

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
    if (!first) return told.replaceChildren();
    if (first.refused) {
      const text = told.dataset.gone.replace("%s", first.what).replace("%r", first.refused);
      const yes = first.asked ? [button(told.dataset.sure, () => sure(first))] : [];
      return tell(first.asked ? "warn" : "bad", text, ...yes, button(told.dataset.drop, () => drop(first.key)));
    }
    tell("warn", told.dataset.waiting.replace("%s", first.what), button(told.dataset.now, send));
  }

  function drop(gone) {
    store(load().filter((each) => each.key !== gone));
    show();
    send();
  }

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

  /* What was typed still stands in its form, to be corrected and sent once more. */
  function refuse(report) {
    store([report, ...load().filter((each) => each.key !== report.key)]);
    for (const pressed of document.querySelectorAll("form[data-outbox] button")) pressed.disabled = false;
    show();
  }

  function sure(report) {
    const values = [...report.values.filter(([name]) => name !== "asked"), ["asked", report.asked]];
    store([{ ...report, values, refused: undefined, asked: undefined }, ...load().slice(1)]);
    send();
  }

  async function send() {
    const [report] = load();
    if (!report || report.refused || sending) return;
    sending = true;
    clearTimeout(timer);
    let answer;
    try {
      answer = await post(report);
    } catch {
      answer = null;
    }
    sending = false;
    const isOurs = answer && (answer.headers.get("Content-Type") || "").startsWith("application/json"); // no hotel's page
    if (isOurs && answer.ok) {
      attempts = 0;
      store(load().filter((each) => each.key !== report.key));
      if (load().length) return send();
      return location.reload();
    }
    if (isOurs && answer.status === 422) {
      const { questions, asked, faults } = await answer.json();
      refuse({ ...report, refused: (questions || faults).join(" "), asked: questions ? asked : undefined });
      return;
    }
    if (answer && (answer.status === 404 || answer.status === 403)) {
      refuse({ ...report, refused: told.dataset.unknown });
      return;
    }
    show();
    later();
  }

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-outbox]");
    if (!form) return;
    const values = [...new FormData(form)].filter(([name]) => name !== "key");
    const points = ["own_points", "other_points"].map((name) => (form.elements[name] || {}).value || "?");
    const report = { key: key(), url: form.action, what: form.dataset.what || points.join(" : ") };
    report.values = [...values, ["key", report.key]];
    if (!store([...load(), report])) return; // as any other form
    event.preventDefault();
    for (const pressed of form.querySelectorAll("button")) pressed.disabled = true;
    send();
  });

  addEventListener("online", send);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  document.addEventListener("tso:news", show);
  show();
  send();
})();
