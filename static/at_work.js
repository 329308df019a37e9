/* Says who else has this page open: asks the address in data-ask now and then, as long as the page is looked at. The menu of the bar
   closes by Escape, and when something else is clicked. */
(() => {
  "use strict";

  for (const menu of document.querySelectorAll(".frame details, .foot details")) {
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }

  const EVERY = 15000; // milliseconds; the server forgets somebody after 40 seconds
  const line = document.querySelector("[data-ask]");
  if (!line || !window.fetch) return;

  const address = `${line.dataset.ask}?page=${encodeURIComponent(line.dataset.page)}`;

  async function ask() {
    if (document.hidden) return;
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true" } });
      if (!answer.ok) return;
      const said = answer.status === 204 ? "" : await answer.text();
      if (line.textContent !== said) line.textContent = said;
      line.hidden = said === "";
    } catch {
      /* Nobody answers: the page says so elsewhere. */
    }
  }

  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
})();
