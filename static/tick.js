/* A list of ticks: Enter ticks a name that is typed (searching.js). At the check-in htmx saves each tick as it is set; one that was not saved is taken
   off again, and the page says why (save.js); without scripts a button saves all ticks. */
(() => {
  "use strict";

  const form = document.querySelector("form[data-ticks]");
  if (!form) return;
  const fault = document.getElementById("tick-fault");
  const typed = document.getElementById("tick-typed");
  const saves = document.getElementById("save-ticks");
  if (saves) saves.hidden = true;

  function refuse(event, found) {
    const box = event.target;
    if (!box.matches?.("input[type=checkbox]")) return;
    box.checked = !box.checked;
    fault.replaceChildren(saving.note(found));
    fault.hidden = false;
  }

  form.addEventListener("htmx:sendError", (event) => refuse(event, saving.faultOf(form)));
  form.addEventListener("htmx:responseError", (event) => {
    const { status, responseText } = event.detail.xhr;
    refuse(event, saving.faultOf(form, status, saving.parse(responseText)));
  });
  form.addEventListener("htmx:beforeSwap", (event) => { if (!event.detail.isError) fault.hidden = true; });

  /* No tick moves the list under the hand: what stands above it keeps the height that it had, and what it grows by is scrolled. */
  const above = document.getElementById("check-in-above");
  let top = null;
  document.addEventListener("htmx:oobBeforeSwap", () => {
    if (top !== null) return;
    top = form.getBoundingClientRect().top;
    above.style.minHeight = `${above.offsetHeight}px`;
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (top === null) return;
    scrollBy({ top: form.getBoundingClientRect().top - top, behavior: "instant" });
    top = null;
  });

  const names = searching.picker({
    field: () => typed,
    rows: () => [...form.querySelectorAll(".check")],
    text: (row) => row.querySelector("label, .check-name").textContent,
  });

  typed.addEventListener("input", names.look);
  typed.addEventListener("keydown", (event) => {
    const act = shortcuts.act(event);
    if (act === "walk") names.move(event.key === "ArrowDown" ? 1 : -1);
    if (event.isComposing || !["walk", "enter"].includes(act)) return;
    event.preventDefault();
    const row = act === "walk" ? null : names.take(); // of several that fit, none until one is chosen
    if (!row) {
      if (act === "enter" && !names.look().fits.length) form.querySelector("[data-look]")?.click();
      return;
    }
    const box = row.querySelector("[name=present], [name=player]");
    if (box && !box.checked) box.click();
    typed.value = "";
    names.look();
  });
})();
