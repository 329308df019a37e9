/* The entries: what is typed as a name filters the list. Enter then opens the one who fits; a whole name (“Fuchs, Emil”), or one that
   nobody has, is entered. Needs searching.js; without scripts Enter enters, and a button searches. */
(() => {
  "use strict";

  const field = document.querySelector(".enter [name=name]");
  const rows = [...document.querySelectorAll("tr[data-entry]")];

  const typed = () => field.value.replaceAll("·", " "); // a known player is offered as “name · club”
  const isWhole = () => /,\s*\p{L}/u.test(field.value);

  function look() {
    const isTyped = typed().trim() !== "";
    const fits = rows.filter((row) => isTyped && searching.has(row.textContent, typed()));
    for (const row of rows) {
      const isFound = fits.includes(row);
      row.classList.toggle("is-found", isFound);
      row.hidden = isTyped && !isFound;
    }
    const count = isWhole() ? 0 : fits.length;
    searching.tell(typed(), count, count > 1);
    return fits;
  }

  field.addEventListener("input", look);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || isWhole()) return;
    const fits = look();
    if (!fits.length) return;
    event.preventDefault();
    if (fits.length === 1) fits[0].querySelector("a").click();
  });
})();
