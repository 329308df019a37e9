/* The check-in: htmx saves each tick as it is set. A tick that was not saved is taken off again, and the page says why.
   Without this script the page has a button that saves all ticks. */
(() => {
  "use strict";

  const form = document.getElementById("check-in");
  if (!form) return;
  const fault = document.getElementById("tick-fault");
  document.getElementById("save-ticks").hidden = true;
  document.getElementById("ticks-saved").hidden = false;

  function refuse(event, text) {
    const box = event.target;
    if (!box.matches?.("input[type=checkbox]")) return;
    box.checked = !box.checked;
    fault.textContent = text;
    fault.hidden = false;
  }

  form.addEventListener("htmx:sendError", (event) => refuse(event, form.dataset.unreachable));
  form.addEventListener("htmx:responseError", (event) => {
    refuse(event, event.detail.xhr.status === 401 ? form.dataset.signedOut : form.dataset.unreachable);
  });
  form.addEventListener("htmx:beforeSwap", (event) => { if (!event.detail.isError) fault.hidden = true; });
})();
