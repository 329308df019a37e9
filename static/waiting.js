/* A form whose answer takes seconds says so while it is on its way: what is marked `data-while-sent` in it is shown then.
   Without a script the page says beforehand how long it may take. */
(() => {
  "use strict";

  function show(form, isSent) {
    for (const told of form.querySelectorAll("[data-while-sent]")) told.hidden = !isSent;
  }

  addEventListener("submit", (event) => { if (!event.defaultPrevented) show(event.target, true); });
  /* Whoever goes back may get the page as it was left. */
  addEventListener("pageshow", () => document.querySelectorAll("form").forEach((form) => show(form, false)));
})();
