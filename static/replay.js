/* A played game by keyboard: the arrow keys do what the buttons do, Home and End go to both ends. Without this file the
   buttons are links all the same. */
"use strict";

(() => {
  const WAYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

  // The list of turns scrolls by itself on wide screens: bring the turn that is shown into its middle.
  const turns = document.querySelector(".replay-turns");
  const shown = turns && turns.querySelector("[aria-current]");
  if (shown) {
    const offset = shown.getBoundingClientRect().top - turns.getBoundingClientRect().top;
    turns.scrollTop += offset - turns.clientHeight / 2;
  }

  document.addEventListener("keydown", (event) => {
    const way = typeof shortcuts === "undefined" ? WAYS[event.key] : shortcuts.act(event);
    const typing = event.target.closest("input, textarea, select, [contenteditable], .table-container");
    if (!way || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = document.querySelector(`[data-way="${way}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
