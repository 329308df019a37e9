/* The clock of the hall: counts down the time that both players of a game share. It is remembered on this machine, so that
   it goes on when the page is loaded again; at the end it sounds three times. Without it the page states the time. */
(() => {
  "use strict";

  const clock = document.getElementById("hall-clock");
  if (!clock) return;
  const name = `clock ${location.pathname}`;
  const whole = Number(clock.dataset.seconds);
  const [time, said, start, stop, back] = ["time", "said", "start", "stop", "back"]
    .map((part) => document.getElementById(`hall-${part}`));
  const first = start.textContent;
  let audio = null;
  /* `until`: when it will be over, in milliseconds, while it runs; `left`: the seconds left while it stands. */
  let state = { until: null, left: whole };

  function read() {
    try {
      const kept = JSON.parse(localStorage.getItem(name));
      if (kept && Number.isFinite(kept.left) && kept.left <= whole) state = kept;
    } catch { /* what nobody can read is forgotten */ }
  }

  function keep(found) {
    state = found;
    try { localStorage.setItem(name, JSON.stringify(state)); } catch { /* then it only runs as long as the page is open */ }
    show();
  }

  const left = () => Math.max(0, state.until === null ? state.left : Math.ceil((state.until - Date.now()) / 1000));

  function show() {
    const seconds = left();
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.classList.toggle("is-over", seconds === 0);
    start.hidden = state.until !== null || seconds === 0;
    start.textContent = seconds < whole ? start.dataset.goOn : first;
    stop.hidden = state.until === null || seconds === 0;
    const text = seconds === 0 ? said.dataset.over : "";
    if (said.textContent === text) return;
    said.textContent = text;
    if (text) sound();
  }

  function sound() {
    if (!audio) return;
    [0, 0.75, 1.5].forEach((at) => {
      const tone = audio.createOscillator();
      tone.frequency.value = 587;
      tone.connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.4);
    });
  }

  start.addEventListener("click", () => {
    if (window.AudioContext) audio ||= new AudioContext();
    keep({ until: Date.now() + 1000 * left(), left: left() });
  });
  stop.addEventListener("click", () => keep({ until: null, left: left() }));
  back.addEventListener("click", () => keep({ until: null, left: whole }));

  document.getElementById("hall-keys").hidden = false;
  read();
  show();
  setInterval(show, 250);
})();
