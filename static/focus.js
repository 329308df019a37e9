/* A field of one line that gets the focus by itself (autofocus, a script, Enter in the field before) is selected, as it is when Tab
   leads to it: what is typed takes the place of what stands there. Without that, "412" before a prefilled 0 was stored as 4120. */
(() => {
  "use strict";

  const ONE_LINE = "input:not([type]), input:is([type=text], [type=search], [type=number], [type=tel], [type=email], [type=url])";

  let pressed = null; // a click into a field puts the cursor where it was aimed
  let left = null; // the window was left: coming back goes on with what is half typed

  function select(field) {
    if (field?.matches?.(ONE_LINE) && field.value && field !== left && field !== pressed) field.select();
    left = null;
  }

  addEventListener("pointerdown", ({ target }) => {
    const label = target.closest?.("label");
    pressed = label ? label.control : target;
  }, true);
  addEventListener("click", () => { setTimeout(() => { pressed = null; }); }, true);
  addEventListener("keydown", () => { pressed = null; }, true);
  addEventListener("focusout", ({ target }) => { left = document.activeElement === target ? target : null; });
  addEventListener("focusin", ({ target }) => select(target));
  select(document.activeElement); // the focus may have been given before this was read
})();
