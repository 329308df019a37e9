/* A screen of the hall. It asks for news every second and a half, exchanges what it shows when there are some, fills the
   glass (screen_fit.js), turns its pages by itself, and says since when nobody has answered. Space or a click holds the
   pages, the arrow keys turn them. It never leaves its page: a server that is gone, an event that is hidden and a screen
   that was removed are waited for. */
(() => {
  "use strict";

  const EVERY = 1500; // milliseconds between two questions
  const PATIENCE = 4000; // milliseconds after which a question counts as not answered
  const LATE = 6000; // milliseconds without an answer after which the screen says so

  let ahead = 0; // milliseconds by which this machine's clock is ahead of the server's
  let main = document.getElementById("screen");
  const news = new URL(main.dataset.news, location.href);
  const number = main.dataset.number;
  const language = document.documentElement.lang;
  let browser = sessionStorage.getItem("screen") || "";
  if (!browser) {
    browser = Math.random().toString(36).slice(2, 12) || "1";
    sessionStorage.setItem("screen", browser);
  }

  /* The time of day where the event is, whatever this machine's clock and zone say. */
  function timeAt(moment) {
    const zone = { hour: "2-digit", minute: "2-digit", timeZone: main.dataset.zone };
    return new Date(moment - ahead).toLocaleTimeString(language, zone);
  }

  const at = (id) => document.getElementById(id);

  /* ---- what is shown: parts one after the other, each with its pages ---- */

  let parts = []; // the parts as they came, with their pages
  let part = 0;
  let page = 0;
  let heldHere = false;
  let turnsAt = 0; // when the next page comes, in milliseconds of this machine

  const isHeld = () => heldHere || main.dataset.paused !== undefined;

  function room() {
    const stage = at("screen-stage").getBoundingClientRect();
    const glass = { width: innerWidth, height: innerHeight };
    return { width: stage.width, height: stage.height, glass, large: main.dataset.large !== undefined };
  }

  /* The parts of the page that came last, with nothing laid out yet. */
  function take() {
    parts = [...main.querySelectorAll(".screen-part")].map((section) => ({ section, laid: null, pages: 1 }));
    for (const { section } of parts) section.hidden = true;
    part = Math.min(part, Math.max(0, parts.length - 1));
    document.body.classList.toggle("screen-light", main.dataset.light !== undefined);
  }

  function lay(one, box) {
    one.laid ||= screenFit.lay(one.section, at("screen-stage"), box);
    one.pages = one.laid ? one.laid.count : 1;
  }

  function title({ section }) {
    at("screen-time").textContent = timeAt(Date.now());
    at("screen-title").textContent = section.dataset.title || "";
    at("screen-lead").textContent = section.dataset.kind === "countdown" ? "" : section.dataset.lead || "";
    main.dataset.kind = section.dataset.kind;
  }

  function show() {
    if (!parts.length) return;
    const one = parts[part];
    title(one);
    const box = room();
    lay(one, box);
    page = Math.min(page, one.pages - 1);
    for (const each of parts) each.section.hidden = each !== one;
    screenFit.show(one.section, at("screen-stage"), one.laid, page, box);
    const said = one.pages > 1 ? main.dataset.page.replace("{number}", page + 1).replace("{of}", one.pages) : "";
    at("screen-page").textContent = said;
    at("screen-held").hidden = !isHeld() || (parts.length < 2 && one.pages < 2);
    dispatchEvent(new CustomEvent("tso:shown"));
  }

  function wait() {
    turnsAt = Date.now() + 1000 * Math.max(3, Number(parts[part]?.section.dataset.seconds) || 12);
  }

  function turn(by) {
    if (!parts.length) return;
    page += by;
    const isLast = part === parts.length - 1 && page >= parts[part].pages;
    if (isLast && main.dataset.once !== undefined) {
      page = parts[part].pages - 1; // a ceremony ends with its winner
    } else if (page < 0 || page >= parts[part].pages) {
      part = (part + by + parts.length) % parts.length;
      page = 0;
      if (by < 0) {
        lay(parts[part], room());
        page = parts[part].pages - 1;
      }
    }
    wait();
    show();
  }

  function anew() {
    for (const one of parts) one.laid = null;
    show();
  }

  /* ---- exchanging ---- */

  let came = main.outerHTML;

  function exchange(fresh) {
    const text = fresh.outerHTML;
    if (text === came) return;
    came = text;
    const kinds = (of) => [...of.querySelectorAll(".screen-part")].map(({ dataset }) => dataset.kind + dataset.title).join();
    if (kinds(fresh) !== kinds(main)) [part, page] = [0, 0];
    main.replaceWith(fresh);
    main = fresh;
    take();
    show();
    if (isHeld()) wait();
  }

  function gone() {
    const empty = main.cloneNode(false);
    empty.append(at("screen-stage").cloneNode(false));
    empty.insertAdjacentHTML("afterbegin", '<header class="screen-head"><h1 id="screen-title"></h1><p class="screen-time" id="screen-time"></p></header>'
      + '<p class="screen-lead"><span id="screen-lead"></span> <span id="screen-page"></span> <span id="screen-held" hidden></span></p>');
    empty.insertAdjacentHTML("beforeend", '<p class="screen-lost" id="screen-lost" role="status" hidden></p>');
    const section = document.createElement("section");
    section.className = "screen-part";
    section.dataset.kind = "sentence";
    const sentence = document.createElement("p");
    sentence.className = "screen-sentence";
    sentence.textContent = main.dataset.gone;
    section.append(sentence);
    empty.querySelector(".screen-stage").append(section);
    exchange(empty);
  }

  /* ---- asking ---- */

  let seen = null;
  let answered = Date.now();

  async function answer(address, options) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    try {
      const found = await fetch(address, { ...options, signal: stop.signal });
      if (!found.ok && found.status !== 404) throw new Error(found.status);
      return found.ok ? await found.text() : null;
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask() {
    const address = new URL(news);
    const letters = Math.round(parts[part]?.laid?.letters || 0);
    const about = { number, browser, width: innerWidth, height: innerHeight, letters };
    for (const [name, value] of Object.entries(about)) address.searchParams.set(name, value);
    const asked = Date.now();
    const text = await answer(address, { cache: "no-store" });
    answered = Date.now();
    if (text === null) return forget();
    const { state, now } = JSON.parse(text);
    ahead = (asked + answered) / 2 - now;
    dispatchEvent(new CustomEvent("tso:now", { detail: ahead }));
    if (state !== seen && await fetchPage()) seen = state;
  }

  function forget() {
    seen = null;
    gone();
  }

  async function fetchPage() {
    const text = await answer(location.href, { cache: "no-cache" });
    const fresh = text && new DOMParser().parseFromString(text, "text/html");
    const found = fresh?.getElementById("screen");
    if (found) exchange(document.importNode(found, true));
    else gone();
    if (fresh?.title) document.title = fresh.title;
    return Boolean(found); // what was hidden between the news and the page is asked for again
  }

  function tell() {
    const lost = Date.now() - answered > LATE;
    const said = at("screen-lost");
    if (said.hidden === !lost) return;
    said.textContent = lost ? main.dataset.lost.replace("{time}", timeAt(answered)) : "";
    said.hidden = !lost;
    anew();
  }

  async function round() {
    try {
      await ask();
    } catch { /* nobody answered: the next question may be */ }
    setTimeout(round, EVERY);
  }

  /* ---- every second ---- */

  function second() {
    at("screen-time").textContent = timeAt(Date.now());
    tell();
    if (isHeld() || Date.now() < turnsAt) return;
    const several = parts.length > 1 || (parts[0] && parts[0].pages > 1);
    if (several) turn(1);
    else wait();
  }

  /* ---- keys, a click, the size of the glass, a screen that would fall asleep ---- */

  function hold() {
    heldHere = !heldHere;
    wait();
    show();
  }

  addEventListener("keydown", (event) => {
    const turning = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
    if (turning) turn(turning);
    else if (event.key === " ") hold();
    else return;
    event.preventDefault();
  });
  addEventListener("click", hold);

  let resized = 0;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(anew, 150);
  });
  document.fonts?.ready.then(anew);

  async function stayAwake() {
    if (document.hidden || !navigator.wakeLock) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch { /* then it is for the machine's own settings */ }
  }

  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  document.documentElement.classList.add("screen-live");
  take();
  wait();
  show();
  setInterval(second, 500);
  second();
  round();
})();
