/* A draft: names are found by typing, keys set and swap two that are picked, and a name dragged onto another changes places
   with it. Picking itself is a link that htmx follows; without scripts it is the same link. */
(() => {
  "use strict";

  const draft = () => document.getElementById("draft");
  if (!draft()) return;
  const typed = () => document.getElementById("pick-typed");
  const said = document.getElementById("draft-said");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace("ß", "ss").toLowerCase();

  /* The first name, of those not picked, that has all that is typed; it is marked. */
  function find() {
    const words = fold(typed().value).split(/[\s,]+/).filter(Boolean);
    const names = [...draft().querySelectorAll(".pick")];
    const fits = (name) => words.length > 0 && words.every((word) => fold(name.textContent).includes(word));
    const found = names.find((name) => !name.ariaCurrent && fits(name));
    names.forEach((name) => name.classList.toggle("is-found", name === found));
    found?.scrollIntoView({ block: "nearest" });
    return found;
  }

  function send(act) {
    const form = document.getElementById("by-hand");
    form.requestSubmit(form.querySelector(`[name=${act}]`));
  }

  document.addEventListener("input", (event) => { if (event.target === typed()) find(); });

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const isTyping = target === typed();
    if (target.matches("input, select, textarea") && !isTyping) return;
    if (key === "Escape") {
      document.getElementById("pick-none")?.click();
    } else if (key === "Enter" && isTyping) {
      event.preventDefault();
      find()?.click();
    } else if (key === "Enter" && document.querySelector("#by-hand [name=pair]")) {
      const isFree = target === document.body || target.closest(".pick[aria-current], #by-hand");
      if (!isFree || (!event.shiftKey && target.matches("button"))) return;
      event.preventDefault();
      send(event.shiftKey ? "swap" : "pair");
    } else if (/^\p{L}$/u.test(key) && !isTyping) {
      typed()?.focus(); // the letter itself goes there
    }
  });

  /* Whoever has typed a name goes on by keyboard: to the next name, or to what can be done with the two. */
  document.addEventListener("htmx:afterSwap", () => {
    const panel = draft().querySelector(".panel");
    said.textContent = panel.dataset.said || "";
    if (document.activeElement === document.body) document.querySelector("#by-hand [name=pair]")?.focus({ preventScroll: true });
  });
  document.addEventListener("htmx:responseError", () => location.reload()); // signed out, or the draft is gone

  /* The paper opens in a tab of its own; this one goes on with the round as soon as it is published. */
  document.getElementById("publish-and-print").addEventListener("submit", async () => {
    for (const pause of [300, 600, 1200, 2400, 4800]) {
      await new Promise((done) => { setTimeout(done, pause); });
      const answer = await fetch(location.href).then((found) => found.text()).catch(() => 'id="draft"');
      if (!answer.includes('id="draft"')) location.replace(location.pathname + location.search);
    }
  });

  /* ---- dragging ---- */

  let dragged = null;
  const over = (event) => {
    const name = event.target.closest?.(".pick");
    return dragged && name && name !== dragged ? name : null;
  };

  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("#draft .pick") || null;
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    const name = over(event);
    draft().querySelectorAll(".pick").forEach((each) => each.classList.toggle("is-over", each === name));
    if (name) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const name = over(event);
    if (!name) return;
    event.preventDefault();
    const form = document.getElementById("by-hand");
    form.elements.one.value = dragged.dataset.entry;
    form.elements.other.value = name.dataset.entry;
    const swap = Object.assign(document.createElement("button"), { name: "swap", hidden: true });
    form.append(swap);
    form.requestSubmit(swap);
  });
  document.addEventListener("dragend", () => { dragged = null; });
})();
