/* The check-in: htmx saves each tick as it is set. A tick that was not saved is taken off again, and the page says why.
   Without this script the page has a button that saves all ticks. Needs save.js. */
(() => {
  "use strict";

  const form = document.getElementById("check-in");
  if (!form) return;
  const fault = document.getElementById("tick-fault");
  document.getElementById("save-ticks").hidden = true;
  document.getElementById("ticks-saved").hidden = false;

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
})();
