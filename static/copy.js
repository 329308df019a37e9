// Buttons that copy what a field holds. Without a script the field itself can be copied from.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(field.value);
    } else {
      document.execCommand("copy"); // on plain http browsers offer nothing else
    }
    button.textContent = button.dataset.done;
  });
}
