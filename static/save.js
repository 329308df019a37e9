/* Saving what is typed without leaving the page. Loaded before the page's own script. A form has in `data-unreachable` and
   `data-signed-out` what to say when it was not saved; #said is read out.

     send(form, body, { address, mark })   posts `body`; a promise of { parts } or of a fault, never an error
     faultOf(form, status, parts)          why not: { fault, again, signedOut }: the words, whether to try again unasked
     note(fault)                           an element that says it, with the way to sign in
     retry(act)                            { later(), stop() }: calls `act` after a while, or once the network is back
     swap(parts, selector, keeps)          puts parts of an answer in the place of those on the page
     isOvertaken(revision)                 whether an answer comes behind a newer one
     store(name, storage)                  what is not saved yet: read(), write(value), write(null) to forget it
     say(text)                             what has happened, for whom does not see it
     guard(isUnsaved)                      asks before the page is left with something unsaved

   By a key in `body` the server knows what it gets twice, because the first answer was lost. */
const saving = (() => {
  "use strict";

  /* Signing in again in another tab changes the token; the cookie has the one that counts. */
  const token = (form) => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] || form.elements.csrfmiddlewaretoken.value;

  addEventListener("submit", (event) => {
    const sent = event.target.elements.csrfmiddlewaretoken;
    if (sent) sent.value = token(event.target);
  }, true);

  function parse(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  /* What a page of trouble says, that of a full disk for one. */
  const trouble = (parts) => parts.querySelector("[data-told]")?.textContent.replace(/\s+/g, " ").trim();

  /* Ours says itself what is the matter, that a code was taken back for one; it is asked again unless it has decided. */
  function faultOf(form, status, parts) {
    if (status === 401) return { fault: form.dataset.signedOut, again: true, signedOut: true };
    const told = parts && trouble(parts);
    return { fault: told || form.dataset.unreachable, again: !told || [429, 503, 507].includes(status) };
  }

  function note({ fault, signedOut }) {
    const made = document.createElement("div");
    made.className = "note note-bad";
    const said = document.createElement("p");
    said.textContent = fault;
    made.append(said);
    if (signedOut) made.append(document.getElementById("sign-in").content.cloneNode(true));
    return made;
  }

  const PATIENCE = 20000; // milliseconds for an answer
  const PAUSES = [2000, 4000, 8000, 15000]; // until the next attempt; the last one stays

  function retry(act) {
    let attempts = 0;
    let timer = 0;
    const stop = () => { clearTimeout(timer); timer = 0; attempts = 0; };
    const back = () => { if (timer && !document.hidden) { clearTimeout(timer); act(); } };
    addEventListener("online", back);
    document.addEventListener("visibilitychange", back);
    function later() {
      clearTimeout(timer);
      timer = setTimeout(act, PAUSES[Math.min(attempts, PAUSES.length - 1)]);
      attempts += 1;
    }
    return { later, stop };
  }

  /* `mark` is a selector that our own answers match: the network of a hotel answers, too, with a page of its own. */
  async function send(form, body, { address = form.action, mark } = {}) {
    if (address === form.action) dispatchEvent(new CustomEvent("tso:act"));
    const headers = { "HX-Request": "true", "X-CSRFToken": token(form) };
    try {
      const answer = await fetch(address, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE) });
      const parts = parse(await answer.text());
      const isOurs = answer.ok && (!mark || parts.querySelector(mark));
      return isOurs ? { parts } : faultOf(form, answer.status, parts);
    } catch {
      return faultOf(form);
    }
  }

  /* `keeps(old, fresh)` may carry over what is typed in the old part, and says whether the old part is to stay. */
  function swap(parts, selector, keeps = () => false) {
    for (const fresh of parts.querySelectorAll(selector)) {
      const old = document.getElementById(fresh.id);
      if (old && !keeps(old, fresh)) old.replaceWith(fresh);
    }
  }

  let newest = 0;

  function isOvertaken(revision) {
    const overtaken = revision < newest;
    newest = Math.max(newest, revision);
    return overtaken;
  }

  /* The tab's own store outlives a reload; `localStorage` outlives the tab. */
  const store = (name, storage = sessionStorage) => ({
    read: () => JSON.parse(storage.getItem(name) || "null"),
    write: (value) => (value === null ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(value))),
  });

  const say = (text) => { document.getElementById("said").textContent = text.trim(); };

  function guard(isUnsaved) {
    addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });
  }

  return { send, parse, faultOf, note, retry, swap, isOvertaken, store, say, guard };
})();
