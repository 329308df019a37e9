/* The check-in: htmx saves each tick as it is set. A tick that was not saved is taken off again, and the page says why. A name
   is found by typing; Enter ticks it. Without this script the page has a button that saves all ticks. Needs save.js. */
(() => {
  "use strict";

  const form = document.getElementById("check-in");
  if (!form) return;
  const fault = document.getElementById("tick-fault");
  const typed = document.getElementById("tick-typed");
  document.getElementById("save-ticks").hidden = true;

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

  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace("ß", "ss").toLowerCase();

  /* The first who has all that is typed, those not ticked before the others. */
  function find() {
    const words = fold(typed.value).split(/[\s,]+/).filter(Boolean);
    const rows = [...form.querySelectorAll(".check")];
    const fits = (row) => words.length > 0 && words.every((word) => fold(row.querySelector("label").textContent).includes(word));
    const found = rows.find((row) => fits(row) && !row.querySelector("[name=present]").checked) || rows.find(fits);
    rows.forEach((row) => row.classList.toggle("is-found", row === found));
    found?.scrollIntoView({ block: "nearest" });
    return found?.querySelector("[name=present]");
  }

  typed.addEventListener("input", find);
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    const box = find();
    if (box && !box.checked) box.click();
    typed.value = "";
  });
})();
