/* What every page of those who work has: what was done is told where it was done, until the next act; what is unfolded closes by Escape, the
   bar's menu also by a click elsewhere; and who else has this page open is asked at data-ask as long as the page is looked at. */
(() => {
  "use strict";

  /* ---- after an act ---- */

  const SENT = "sent from";
  const SOON = 15000; // milliseconds in which the page that follows is there
  const told = () => document.querySelector("main > .told");
  const silence = () => told()?.remove();

  /* The page that follows a form is shown where that form stands: scrolled as it was, unfolded around it, and with what was done told in its
     line if there is room. Whatever leads elsewhere begins at its top. */
  const nameOf = (fold) => (fold.querySelector("summary .k") || fold.querySelector("summary")).textContent.trim();

  function goOn({ path, action, fold, y, at }) {
    if (path !== location.pathname || Date.now() - at > SOON || document.querySelector("main .is-invalid, main > .messages:not(.told)")) return;
    const form = [...document.querySelectorAll("main form[method=post]")].find((other) => other.getAttribute("action") === action);
    for (const other of document.querySelectorAll("main details")) other.open ||= nameOf(other) === fold;
    if (!location.hash) scrollTo({ top: y, behavior: "instant" });
    const line = form?.querySelector(".actions");
    const note = told();
    if (!line || !note || note.querySelector("form")) return;
    const { bottom } = line.getBoundingClientRect();
    const place = note.nextElementSibling;
    line.append(note);
    if (line.getBoundingClientRect().bottom !== bottom || bottom > innerHeight) place.before(note);
  }

  const before = JSON.parse(sessionStorage.getItem(SENT) || "null");
  sessionStorage.removeItem(SENT);
  if (before) goOn(before);

  addEventListener("submit", (event) => {
    const { target: form } = event;
    if (form.method !== "post") return;
    const fold = form.closest("details");
    const place = { action: form.getAttribute("action"), fold: fold && nameOf(fold), y: scrollY };
    const sent = JSON.stringify({ path: location.pathname, ...place, at: Date.now() });
    setTimeout(() => { // by then it is known whether a script of the page sends it by itself
      silence();
      if (!event.defaultPrevented && !form.target) sessionStorage.setItem(SENT, sent);
    });
  });
  addEventListener("htmx:beforeRequest", ({ detail: { requestConfig, elt } }) => {
    if (requestConfig.verb === "post" && !elt.matches("form[hx-trigger]")) silence(); // a form that is only looked at has one
  });
  addEventListener("tso:act", silence);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) silence(); }); // gone back to
  addEventListener("click", ({ target }) => { if (target.closest("[data-away]")) silence(); });

  /* ---- what is unfolded ---- */

  let unfolded = null; // by the reader, last

  document.addEventListener("click", ({ target }) => {
    const fold = target.closest("summary")?.parentElement;
    if (fold) unfolded = fold.open ? null : fold;
  });

  for (const menu of document.querySelectorAll(".frame details, .foot details")) {
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const free = event.target.matches("input, select, textarea") ? null : unfolded;
    const fold = event.target.closest("details[open]") || (free?.isConnected && free.open ? free : null);
    if (!fold) return silence();
    fold.open = false;
    fold.querySelector("summary").focus();
  });

  /* ---- who else is here ---- */

  const EVERY = 15000; // milliseconds; the server forgets somebody after 40 seconds
  const line = document.querySelector("[data-ask]");
  if (!line || !window.fetch) return;

  const address = `${line.dataset.ask}?page=${encodeURIComponent(line.dataset.page)}`;

  async function ask() {
    if (document.hidden) return;
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true" } });
      if (!answer.ok) return;
      const said = answer.status === 204 ? "" : await answer.text();
      if (line.textContent !== said) line.textContent = said;
      line.hidden = said === "";
    } catch {
      /* Nobody answers: the page says so elsewhere. */
    }
  }

  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
})();
