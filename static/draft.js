/* A draft: names are found by typing, keys set and swap two that are picked, and a name dragged onto another changes places
   with it. Picking itself is a link that htmx follows; without scripts it is the same link. */
(() => {
  "use strict";

  const draft = () => document.getElementById("draft");
  if (!draft()) return;
  const typed = () => document.getElementById("pick-typed");
  const said = document.getElementById("draft-said");
  const names = searching.picker({
    field: typed,
    rows: () => [...draft().querySelectorAll(".pick")].filter((name) => !name.ariaCurrent),
    text: (name) => name.textContent,
  });

  function send(act) {
    const form = document.getElementById("by-hand");
    form.requestSubmit(form.querySelector(`[name=${act}]`));
  }

  document.addEventListener("input", (event) => { if (event.target === typed()) names.look(); });

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const isTyping = target === typed();
    if (target.matches("input, select, textarea") && !isTyping) return;
    const act = shortcuts.act(event);
    if (act === "none") {
      document.getElementById("pick-none")?.click();
    } else if (isTyping && (act === "enter" || act === "swap")) {
      event.preventDefault();
      names.take()?.click(); // of several that fit, none until one is chosen
    } else if (isTyping && act === "walk") {
      event.preventDefault();
      names.move(key === "ArrowDown" ? 1 : -1);
    } else if ((act === "enter" || act === "swap") && document.querySelector("#by-hand [name=pair]")) {
      const isFree = target === document.body || target.closest(".pick[aria-current], #by-hand");
      if (!isFree || (act === "enter" && target.matches("button"))) return;
      event.preventDefault();
      send(act === "swap" ? "swap" : "pair");
    } else if (act === "find" && !isTyping) {
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
      if (!answer.includes('id="draft"')) return location.replace(location.pathname + location.search);
    }
  });
  /* Not by autofocus: Enter pressed before this was read published the round and left the draft standing here. */
  if (document.activeElement === document.body) document.querySelector("#publish-and-print [data-first]")?.focus();

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
