/* The clock of the round, and any countdown, wherever a page has one ([data-hall-clock]): counted by the server's time, so
   that all screens agree. A page that knows better than this machine's clock tells by a "tso:now" event how many
   milliseconds this machine is ahead; a page that is made anew each time says the time itself (data-now). */
(() => {
  "use strict";

  const TEN = 600; // seconds left at which something is said
  const ONE = 60;
  const HOURS = 6000; // seconds from which on hours are written, too
  const PAST = 600; // seconds after the end from which on a corner of the screen says it no more
  const FRESH = 3; // seconds after such a moment in which it still sounds
  const said = new Set(); // moments that have sounded
  let ahead = 0;
  let audio = null;

  addEventListener("tso:now", (event) => { ahead = event.detail; });

  const stated = document.querySelector("[data-hall-clock][data-now]");
  if (stated) {
    const loaded = performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart || 0);
    ahead = loaded - Number(stated.dataset.now);
  }

  /* ---- the sound: a browser plays none before somebody has pressed something ---- */

  async function allow() {
    if (!window.AudioContext) return;
    audio ||= new AudioContext();
    await audio.resume();
  }

  addEventListener("pointerdown", allow);
  addEventListener("keydown", allow);

  function sound(times, hertz) {
    if (audio?.state !== "running") return;
    for (let i = 0; i < times; i += 1) {
      const at = audio.currentTime + i * 0.75;
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      tone.frequency.value = hertz;
      loud.gain.setValueAtTime(0.0001, at);
      loud.gain.exponentialRampToValueAtTime(0.5, at + 0.03);
      loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.6);
      tone.connect(loud).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.65);
    }
  }

  /* ---- counting ---- */

  function left(clock) {
    const { ends, left: standing } = clock.dataset;
    if (!ends) return Number(standing) || 0;
    return Math.max(0, Math.ceil((Date.parse(ends) - (Date.now() - ahead)) / 1000));
  }

  function written(seconds) {
    const rest = `${Math.floor(seconds / 60) % 60}`.padStart(2, "0");
    const tail = `${rest}:${`${seconds % 60}`.padStart(2, "0")}`;
    return seconds >= HOURS ? `${Math.floor(seconds / 3600)}:${tail}` : `${`${Math.floor(seconds / 60)}`.padStart(2, "0")}:${tail.slice(3)}`;
  }

  function words({ ten, one, over }, seconds) {
    if (seconds === 0) return over || "";
    if (seconds <= ONE) return one || "";
    return seconds <= TEN && seconds > TEN - ONE ? ten || "" : "";
  }

  function put(element, text) {
    if (element && element.textContent !== text) element.textContent = text;
  }

  function signal(clock, seconds) {
    const { ends, sounds } = clock.dataset;
    if (!ends || sounds === undefined) return;
    for (const [at, times, hertz] of [[TEN, 1, 880], [ONE, 2, 880], [0, 3, 587]]) {
      const moment = `${ends} ${at}`;
      const since = (Date.now() - ahead - Date.parse(ends)) / 1000 + at;
      if (seconds > at || said.has(moment)) continue;
      said.add(moment);
      if (since < FRESH) sound(times, hertz);
    }
    if (said.size > 60) said.clear();
  }

  function show(clock) {
    const seconds = left(clock);
    put(clock.querySelector(".hall-time"), written(seconds));
    clock.classList.toggle("is-long", seconds >= HOURS);
    clock.classList.toggle("is-short", seconds > 0 && seconds <= ONE);
    clock.classList.toggle("is-over", seconds === 0);
    clock.classList.toggle("is-past", Boolean(clock.dataset.ends) && Date.now() - ahead - Date.parse(clock.dataset.ends) > PAST * 1000);
    const text = words(clock.dataset, seconds);
    put(clock.querySelector("[data-said]"), text || (audio?.state === "running" ? "" : clock.dataset.sounds || ""));
    signal(clock, seconds);
  }

  const tick = () => document.querySelectorAll("[data-hall-clock]").forEach(show);

  addEventListener("tso:shown", tick);
  document.addEventListener("tso:news", tick);
  setInterval(tick, 250);
  tick();
})();
