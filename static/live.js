/* A page that keeps itself up to date. Its <main> says where to ask (data-news) and what to say when nobody answers
   (data-lost).

   A page whose state is not known asks once for itself; from then on it asks only for news, and for itself when there
   are some. What has changed is exchanged piece by piece: what stays is not touched, nothing moves under the reader's
   eyes, and nothing is exchanged while something is being typed, chosen or marked. */
(() => {
  "use strict";

  const main = document.querySelector("main[data-news]");
  if (!main || !window.fetch) return;

  const EVERY = 4000; // milliseconds: with the answers, what is new is there within five seconds
  const LATE = 3; // so many questions without an answer, and the page says that it may be old

  let seen = main.dataset.seen || null;
  let unanswered = 0;
  let waiting = false; // news that could not be shown yet

  /* ---- exchanging; what is marked data-kept belongs to another script ---- */

  const NAMED = new Set(["open", "value", "checked", "selected"]);
  const mayBeSet = (node, name) => NAMED.has(name) && !node.matches("progress, button"); // by the reader

  function sameKind(old, fresh) {
    return old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && (old.id || "") === (fresh.id || "");
  }

  function attributes(old, fresh) {
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !mayBeSet(old, name)) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (!mayBeSet(old, name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  }

  function exchange(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.dataset?.kept !== undefined && sameKind(old, fresh)) return;
    if (!sameKind(old, fresh) || old.nodeType !== Node.ELEMENT_NODE) return old.replaceWith(fresh);
    attributes(old, fresh);
    const before = [...old.childNodes];
    const after = [...fresh.childNodes];
    let from = 0;
    let left = 0;
    const most = Math.min(before.length, after.length);
    while (from < most && before[from].isEqualNode(after[from])) from += 1;
    while (left < most - from && before[before.length - 1 - left].isEqualNode(after[after.length - 1 - left])) left += 1;
    const gone = before.slice(from, before.length - left);
    const come = after.slice(from, after.length - left);
    const pairs = Math.min(gone.length, come.length);
    for (let i = 0; i < pairs; i += 1) exchange(gone[i], come[i]);
    gone.slice(pairs).forEach((node) => node.remove());
    const next = before[before.length - left] || null;
    come.slice(pairs).forEach((node) => old.insertBefore(node, next));
  }

  /* ---- the reader first ---- */

  /* A form in which something is typed again and again (`data-shown-while-empty`), and nothing at this moment. */
  function isWaiting(form) {
    if (form?.dataset.shownWhileEmpty === undefined) return false;
    return [...form.elements].every((each) => each.type === "hidden" || (each.type === "checkbox" ? !each.checked : !each.value));
  }

  function isBusy() {
    const at = document.activeElement;
    if (at && main.contains(at) && at.matches("input, select, textarea, [contenteditable]")) return !isWaiting(at.form);
    if (main.querySelector("[data-dirty], dialog[open]")) return true;
    const marked = getSelection();
    return marked.type === "Range" && marked.anchorNode !== null && main.contains(marked.anchorNode);
  }

  /* What the reader looks at, to be put back where it was: not every browser does that by itself. */
  function eyes() {
    const middle = document.documentElement.clientWidth / 2;
    for (let y = 80; y < innerHeight; y += 40) {
      const found = document.elementFromPoint(middle, y);
      if (found && found !== main && main.contains(found)) return found;
    }
    return null;
  }

  function show(fresh) {
    const at = scrollY > 0 ? eyes() : null;
    const before = at && at.getBoundingClientRect().top;
    exchange(main, fresh);
    if (at && at.isConnected) scrollBy({ top: at.getBoundingClientRect().top - before, behavior: "instant" });
    document.dispatchEvent(new CustomEvent("tso:news"));
  }

  /* ---- asking ---- */

  let text = null; // the page as it came last

  async function fetchPage() {
    const answer = await fetch(main.dataset.page || location.href, { cache: "no-cache", headers: { "X-Requested-With": "live" } });
    if (answer.redirected || !answer.ok) return location.reload();
    const came = await answer.text();
    if (came === text) return;
    if (main.ariaBusy || main.querySelector(".htmx-request")) return; // a button was pressed: its answer brings the page, and needs its form
    const fresh = new DOMParser().parseFromString(came, "text/html");
    if (!fresh.querySelector("main[data-news]")) return location.reload();
    text = came;
    const arrived = document.importNode(fresh.querySelector("main"), true);
    const told = main.querySelectorAll(":scope > .messages"); // what was said to this reader stays said
    arrived.prepend(...[...told].map((each) => each.cloneNode(true)));
    show(arrived);
    document.title = fresh.title;
  }

  async function ask() {
    if (waiting) return isBusy() ? undefined : fetchPage().then(() => { waiting = false; });
    const address = new URL(main.dataset.news, location.href);
    if (seen !== null) address.searchParams.set("seen", seen);
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.redirected || answer.status === 404) return location.reload(); // signed out, or not public any more
    if (answer.status === 204) return;
    if (!answer.ok) throw new Error(answer.status);
    seen = (await answer.json()).state;
    waiting = true;
    if (!isBusy()) {
      await fetchPage();
      waiting = false;
    }
  }

  /* ---- when nobody answers ---- */

  let answered = new Date();

  function tell(isLost) {
    const said = document.getElementById("live-lost");
    if (!isLost) return said?.remove();
    if (said || !main.dataset.lost) return;
    const note = document.createElement("p");
    note.id = "live-lost";
    note.className = "note note-warn live-lost";
    note.setAttribute("role", "status");
    const time = answered.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    note.textContent = main.dataset.lost.replace("{time}", time);
    main.before(note);
  }

  let timer = 0;

  async function turn() {
    clearTimeout(timer);
    if (!document.hidden) {
      try {
        await ask();
        unanswered = 0;
        answered = new Date();
      } catch {
        unanswered += 1;
      }
      tell(unanswered >= LATE);
    }
    timer = setTimeout(turn, EVERY * (0.9 + 0.2 * Math.random()));
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) turn(); });
  addEventListener("online", turn);
  timer = setTimeout(turn, seen === null ? 500 : EVERY);
})();
