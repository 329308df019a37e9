/* A duplicate session: the clock of a turn with its signal, and slips sent without leaving the page (needs save.js for
   that). Everything works without it: a slip is a plain form, and the page says when the clock was started. */
(() => {
  "use strict";

  /* ---- the sound: two tones for the signal, three for the end; a browser plays none before somebody has pressed something ---- */

  let audio = null;

  function tone(at, hertz) {
    const swing = audio.createOscillator();
    const loud = audio.createGain();
    swing.type = "square";
    swing.frequency.value = hertz;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.5, at + 0.03);
    loud.gain.setValueAtTime(0.5, at + 0.45);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.6);
    swing.connect(loud).connect(audio.destination);
    swing.start(at);
    swing.stop(at + 0.65);
  }

  function sound(times, hertz) {
    if (!audio || audio.state !== "running") return;
    for (let i = 0; i < times; i += 1) tone(audio.currentTime + i * 0.75, hertz);
  }

  async function allow() {
    if (!window.AudioContext) return;
    audio ||= new AudioContext();
    await audio.resume();
  }

  addEventListener("pointerdown", allow, { once: true });
  addEventListener("keydown", allow, { once: true });
  addEventListener("click", async (event) => {
    if (event.target.closest("[data-sound]")) {
      await allow();
      sound(2, 880);
    }
  });

  /* ---- the clock: by the server's time, since the machines of a hall differ by minutes ---- */

  const sounded = new Set();
  let ahead = null; // milliseconds by which this machine's clock is ahead

  async function compare(clock) {
    if (clock.dataset.now) {
      ahead = performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart || 0) - Number(clock.dataset.now);
      return;
    }
    const news = document.querySelector("main[data-news]")?.dataset.news || location.href;
    ahead = 0;
    try {
      const answer = await fetch(news, { method: "HEAD", cache: "no-store" });
      const said = Date.parse(answer.headers.get("Date"));
      if (said) ahead = Date.now() - said - 500; // the header has whole seconds
    } catch { /* this machine's own clock then */ }
  }

  function tick() {
    for (const button of document.querySelectorAll("[data-sound]")) button.hidden = false;
    const clock = document.querySelector("[data-clock]");
    if (!clock || !clock.dataset.started) return;
    if (ahead === null) {
      compare(clock);
      return;
    }
    const started = Date.parse(clock.dataset.started);
    const left = Math.ceil(Number(clock.dataset.seconds) - (Date.now() - ahead - started) / 1000);
    show(clock, Math.min(left, Number(clock.dataset.seconds)), clock.dataset.started);
  }

  function show(clock, left, turn) {
    const writing = Number(clock.dataset.rest); // seconds before the end at which the signal sounds
    const rest = Math.max(left, 0);
    const text = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
    const time = clock.querySelector(".duplicate-time");
    if (time.textContent !== text) time.textContent = text;
    clock.classList.toggle("is-short", left <= writing && left > 0);
    clock.classList.toggle("is-over", left <= 0);
    signal(clock, left, `${turn} signal`, writing, clock.dataset.signal, () => sound(2, 880));
    signal(clock, left, `${turn} over`, 0, clock.dataset.over, () => sound(3, 587));
  }

  /* Sounds once, when the moment comes; not on a page that is opened long after it. */
  function signal(clock, left, name, at, text, play) {
    if (left > at || sounded.has(name)) return;
    sounded.add(name);
    clock.querySelector("[data-said]").textContent = text;
    if (left > at - 3) play();
  }

  setInterval(tick, 200);
  tick();

  /* ---- slips ---- */

  /* Enter goes on to the next empty field of a form that is sent as it is, and sends it from the last one. */
  addEventListener("keydown", (event) => {
    const form = event.target.form;
    if (!form?.matches("[data-enter]") || shortcuts.act(event) !== "enter" || event.target.type !== "text" || !event.target.value) return;
    const fields = [...form.querySelectorAll("input[type=text]")];
    const next = fields.slice(fields.indexOf(event.target) + 1).find((field) => !field.value);
    if (next && ![...form.querySelectorAll("input[type=checkbox]")].some((box) => box.checked)) {
      event.preventDefault();
      next.focus();
    }
  });

  const entry = () => document.getElementById("duplicate-entry");
  if (!entry() || typeof saving === "undefined") return;

  const store = saving.store(`slips ${location.pathname}${location.search}`);
  const FIELDS = ["player", "position", "word", "claimed"];
  const BOXES = ["late", "empty"];
  const AGAIN = 3000; // milliseconds until a slip that nobody has answered to is sent once more
  let queue = store.read()?.queue || [];
  let refused = store.read()?.refused || []; // slips with what was said of them, that wait for the fields to be free
  let running = false;

  const field = (name) => entry().elements[name];

  function taken() {
    const data = new FormData(entry());
    return [...data.entries()].filter(([name]) => name !== "csrfmiddlewaretoken");
  }

  function clear() {
    for (const name of FIELDS) field(name).value = "";
    for (const name of BOXES) field(name).checked = false;
    field("version").value = "";
    document.getElementById("duplicate-faults").replaceChildren();
    field("player").focus();
  }

  function restore(pairs) {
    clear();
    for (const [name, value] of pairs) {
      const target = field(name);
      if (!target || name === "turn") continue; // sent once more it is for the turn that the page shows
      if (target.type === "checkbox") target.checked = true;
      else target.value = value;
    }
  }

  const written = (pairs) => pairs.filter(([name]) => FIELDS.includes(name)).map(([, value]) => value).join(" ");

  /* Nothing stands in the fields, and nobody has begun another slip since the last one was sent: a slip that came back under the
     hands of somebody who types would mix with the next player's. */
  let isTyping = false;
  addEventListener("input", (event) => { if (event.target.form === entry()) isTyping = true; });
  const isFree = () => !isTyping && FIELDS.every((name) => !field(name).value);

  function remember() {
    store.write(queue.length || refused.length ? { queue, refused } : null);
    const lines = [...refused, ...queue.map((pairs) => [pairs, entry().dataset.waiting])];
    const list = document.getElementById("duplicate-pending");
    list.hidden = lines.length === 0;
    list.replaceChildren(...lines.map(([pairs, said]) => {
      const item = document.createElement("li");
      item.textContent = `${written(pairs)} – ${said}`;
      return item;
    }));
  }

  /* A slip that was refused comes back into the fields as soon as they are free; it holds up none of those behind it. */
  function takeUp() {
    if (!refused.length || !isFree()) return;
    const [pairs, said] = refused.shift();
    restore(pairs);
    document.getElementById("duplicate-faults").replaceChildren(saving.note({ fault: said }));
  }

  async function pump() {
    if (running) return;
    running = true;
    while (queue.length) {
      const body = new FormData();
      for (const [name, value] of queue[0]) body.append(name, value);
      const found = await saving.send(entry(), body, { mark: "[data-answer]" });
      if (!found.fault) answered(found.parts, queue.shift());
      else if (found.again) {
        told(found);
        await new Promise((done) => { setTimeout(done, AGAIN); });
      } else {
        refused.push([queue.shift(), found.fault]);
        saving.say(found.fault);
      }
      takeUp();
      remember();
    }
    running = false;
  }

  function told(found) {
    const place = document.getElementById("duplicate-faults");
    if (place.textContent.startsWith(found.fault)) return; // a link that somebody is about to follow stays
    place.replaceChildren(saving.note(found));
    saving.say(found.fault);
  }

  function answered(parts, sent) {
    const row = parts.querySelector("tr");
    const faults = parts.getElementById("duplicate-faults");
    saving.swap(parts, "#last-act, #duplicate-progress, #duplicate-proposal, #duplicate-turn");
    if (row) {
      document.getElementById(row.id)?.remove();
      document.getElementById("duplicate-slips").prepend(row);
      document.getElementById("duplicate-faults").replaceChildren();
      saving.say(row.textContent.replace(/\s+/g, " "));
      return;
    }
    const said = faults.textContent.replace(/\s+/g, " ").trim();
    saving.say(said);
    if (!isFree()) return refused.push([sent, said]);
    restore(sent);
    document.getElementById("duplicate-faults").replaceWith(faults);
  }

  /* Enter goes on to the next empty field, and saves from the last one. */
  addEventListener("keydown", (event) => {
    if (event.target.form !== entry() || shortcuts.act(event) !== "enter" || event.target.type === "checkbox") return;
    const place = FIELDS.indexOf(event.target.name);
    if (place < 0 || place === FIELDS.length - 1) return;
    const isTicked = BOXES.some((name) => field(name).checked);
    const next = FIELDS.slice(place + 1).find((name) => !field(name).value);
    if (next && !isTicked && event.target.value) {
      event.preventDefault();
      field(next).focus();
    }
  });

  addEventListener("submit", (event) => {
    if (event.target !== entry()) return;
    event.preventDefault();
    const typed = FIELDS.some((name) => field(name).value.trim()) || BOXES.some((name) => field(name).checked);
    if (!typed) return;
    queue.push(taken());
    clear();
    isTyping = false;
    remember();
    pump();
  });

  const hint = document.getElementById("duplicate-name")?.textContent;
  addEventListener("input", (event) => {
    if (event.target.form !== entry() || event.target.name !== "player") return;
    const number = Number(event.target.value);
    const found = document.querySelector(`#duplicate-players [data-number="${number || 0}"]`);
    document.getElementById("duplicate-name").textContent = found ? found.textContent : hint;
  });

  if (new URLSearchParams(location.search).get("typing")) {
    field(field("player").value ? "position" : "player").focus();
  }
  saving.guard(() => queue.length > 0);
  takeUp();
  remember();
  pump();
})();
