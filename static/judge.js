/* The word judge. Without this file the page is a form with two boxes to tick; with it the boxes are two keys, one for
   each player, that have to be pressed within seconds of one another, the answer comes without leaving the full
   screen, and the screen clears itself for the next question. */

(() => {
  "use strict";

  const PATIENCE = 10000;   // between the two players' keys
  const DEAF = 1200;        // after an answer: a key pressed late must not wipe it away
  const stage = document.getElementById("judge-stage");
  const said = document.getElementById("judge-said");
  const full = document.getElementById("judge-full");
  let waiting = null, clock = null, left = 0, answeredAt = 0, busy = false;

  const form = () => document.getElementById("judge");
  const boxes = () => [...stage.querySelectorAll("[data-key]")];

  /* ---- full screen ---- */

  if (full && document.documentElement.requestFullscreen) {
    full.hidden = false;
    full.addEventListener("click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen();
      focusFirst();
    });
    document.addEventListener("fullscreenchange", () => {
      document.body.classList.toggle("judge-is-full", Boolean(document.fullscreenElement));
    });
  }

  /* ---- the two keys ---- */

  function hint(text) {
    const place = document.getElementById("judge-hint");
    if (place) place.textContent = text;
    said.textContent = text;
  }

  function release(reason) {
    clearTimeout(waiting);
    if (!boxes().some((box) => box.checked)) return;
    boxes().forEach((box) => { box.checked = false; });
    if (reason) hint(reason);
  }

  function pressed(box) {
    const { first, waits, late } = form().dataset;
    if (!form().elements.words.value.trim()) {
      box.checked = false;
      hint(first);
      form().elements.words.focus();
    } else if (boxes().every((each) => each.checked)) {
      clearTimeout(waiting);
      send();
    } else if (box.checked) {
      hint(waits);
      clearTimeout(waiting);
      waiting = setTimeout(() => release(late), PATIENCE);
    }
  }

  async function send() {
    if (busy) return;
    busy = true;
    try {
      await show(await fetch(form().action, { method: "POST", body: new FormData(form()) }));
    } catch {
      release(form().dataset.unreachable);
      hint(form().dataset.unreachable);
    } finally {
      busy = false;
    }
  }

  /* ---- one screen after the other ---- */

  async function show(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("judge-stage");
    if (!next) {             // signed out, or an error page: show it as it is
      location.assign(answer.url);
      return;
    }
    // The faulty field's autofocus: a script that moves the focus itself has no use for it.
    next.querySelectorAll("[autofocus]").forEach((field) => field.removeAttribute("autofocus"));
    stage.replaceChildren(...next.childNodes);
    history.replaceState(null, "", answer.url);
    prepare();
  }

  async function clear(letter = "") {
    clearInterval(clock);
    const next = document.getElementById("judge-next");
    if (!next || busy) return;
    busy = true;
    try {
      await show(await fetch(next.href));
      if (form()) form().elements.words.value = letter;
    } catch {
      location.assign(next.href);
    } finally {
      busy = false;
    }
  }

  function focusFirst() {
    (stage.querySelector("textarea") || stage.querySelector("h1[tabindex]") || stage).focus({ preventScroll: true });
  }

  function tick() {
    const place = document.getElementById("judge-clock");
    if (!place) return clearInterval(clock);
    left -= 1;
    place.textContent = place.dataset.text.replace("%s", String(left));
    if (left <= 0) clear();
  }

  function prepare() {
    clearInterval(clock);
    clearTimeout(waiting);
    const submit = document.getElementById("judge-submit");
    if (submit) submit.hidden = true;
    boxes().forEach((box) => { box.checked = false; });
    const answer = document.getElementById("judge-answer");
    if (answer) {
      answeredAt = Date.now();
      left = Number(answer.dataset.seconds) + 1;
      document.getElementById("judge-keep").hidden = false;
      clock = setInterval(tick, 1000);
      tick();
    }
    focusFirst();
    document.body.classList.add("judge-ready");
  }

  /* ---- what is pressed ---- */

  stage.addEventListener("change", (event) => {
    if (event.target.dataset.key) pressed(event.target);
  });
  stage.addEventListener("input", (event) => {
    if (event.target.name === "words") release(form().dataset.changed);
  });
  stage.addEventListener("submit", (event) => {
    event.preventDefault();
  });
  stage.addEventListener("click", (event) => {
    if (event.target.id === "judge-keep") {
      clearInterval(clock);
      document.getElementById("judge-clock").textContent = "";
      event.target.hidden = true;
      document.getElementById("judge-next").focus();
    } else if (event.target.id === "judge-next" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      clear();
    }
  });

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = boxes().find((each) => each.dataset.key === event.key);
    if (box) {
      event.preventDefault();
      if (event.repeat || box.checked) return;
      box.checked = true;
      pressed(box);
    } else if (document.getElementById("judge-answer") && /^([a-zäöüß]|Enter|Escape)$/i.test(event.key)) {
      if (event.target.closest("button, a") && event.key === "Enter") return;
      event.preventDefault();
      if (Date.now() - answeredAt > DEAF) clear(event.key.length === 1 ? event.key : "");
    }
  });

  prepare();
})();
