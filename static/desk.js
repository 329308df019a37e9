/* The hall's desk: the picture of the screen is laid out as the screen itself is (screen_fit.js), and keys press buttons: 1 to 4,
   in the ceremony the arrows and what a presenter's remote sends (PageDown, PageUp). */
(() => {
  "use strict";

  /* ---- the picture ---- */

  function picture(glass) {
    const stage = glass.querySelector(".screen-stage");
    const section = stage.querySelector(".screen-part");
    const { width, height } = glass.getBoundingClientRect();
    if (!section || !width) return;
    section.hidden = false;
    stage.querySelectorAll(":scope > .screen-page").forEach((old) => old.remove());
    const { width: wide, height: high } = stage.getBoundingClientRect();
    const box = { width: wide, height: high, glass: { width, height }, large: glass.dataset.large !== undefined };
    screenFit.show(section, stage, screenFit.lay(section, stage, box), 0, box);
  }

  const pictures = () => document.querySelectorAll("[data-glass]").forEach(picture);

  /* ---- keys, unless somebody has switched them off ---- */

  const OFF = "desk-keys-off";
  const hasKeys = () => localStorage.getItem(OFF) === null;

  function tellKeys() {
    for (const button of document.querySelectorAll("[data-keys]")) {
      button.hidden = false;
      button.setAttribute("aria-pressed", hasKeys());
    }
  }

  const SLIDES = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };

  function press(event) {
    if (!hasKeys() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const button = document.querySelector(`[data-key="${CSS.escape(SLIDES[event.key] || event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    if (button.matches("summary")) button.parentElement.querySelector("input:not([type=hidden])")?.focus();
  }

  addEventListener("keydown", press);
  addEventListener("click", (event) => {
    if (!event.target.closest("[data-keys]")) return;
    if (hasKeys()) localStorage.setItem(OFF, "");
    else localStorage.removeItem(OFF);
    tellKeys();
  });

  /* ---- what was unfolded stays so when a button was pressed in it ---- */

  let unfolded = [];

  document.addEventListener("htmx:beforeSwap", () => {
    unfolded = [...document.querySelectorAll(".desk-folds > [id][open]")].map(({ id }) => id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  });

  function anew() {
    pictures();
    tellKeys();
  }

  document.addEventListener("tso:news", anew);
  document.addEventListener("htmx:afterSwap", anew);
  addEventListener("resize", pictures);
  document.fonts?.ready.then(pictures);
  anew();
})();
