/* What is filled in for each player is put where the cursor was, in the blank that was left last. */
(() => {
  "use strict";

  const blanks = [...document.querySelectorAll(".blanks input")];
  let last = blanks[1] || blanks[0];

  for (const blank of blanks) blank.addEventListener("focus", () => { last = blank; });
  document.addEventListener("click", ({ target }) => {
    const { insert } = target.dataset || {};
    if (!insert) return;
    last.setRangeText(insert, last.selectionStart, last.selectionEnd, "end");
    last.focus();
    last.setSelectionRange(last.selectionEnd, last.selectionEnd); // focus.js selects what gets the focus
    last.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
