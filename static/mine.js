/* “My table” on a tournament's front page: the name that was picked stays on this device, and where that player sits is
   shown at once. Without it the form leads to the player's card. */
(() => {
  "use strict";

  const box = document.querySelector("[data-mine]");
  if (!box) return;
  const name = `tso mine ${box.dataset.mine}`;
  const form = box.querySelector("form");
  const shown = box.querySelector("[data-mine-shown]");
  const forget = box.querySelector("[data-mine-forget]");

  function known() {
    try { return localStorage.getItem(name); } catch { return null; } // a browser that keeps nothing
  }

  function keep(key) {
    try {
      if (key) localStorage.setItem(name, key);
      else localStorage.removeItem(name);
    } catch { /* it is asked again the next time */ }
  }

  async function show() {
    const key = known();
    if (key) {
      const answer = await fetch(box.dataset.address.replace("KEY", encodeURIComponent(key)), { cache: "no-cache" });
      if (answer.status === 404) keep(null);
      if (answer.ok) {
        const came = new DOMParser().parseFromString(await answer.text(), "text/html");
        shown.replaceChildren(...[...came.body.childNodes].map((node) => document.importNode(node, true)));
      }
    }
    const has = Boolean(known()) && shown.childElementCount > 0;
    form.hidden = has;
    forget.hidden = !has;
    if (!has) shown.replaceChildren();
  }

  form.addEventListener("submit", () => keep(form.elements.player.value));
  forget.addEventListener("click", () => {
    keep(null);
    form.reset();
    show().then(() => form.elements.player.focus());
  });
  document.addEventListener("tso:news", () => { show().catch(() => {}); });
  addEventListener("pageshow", () => { show().catch(() => {}); }); // also when coming back from the card
})();
