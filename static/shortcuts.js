/* Keys of the pages of those who work, read from the list of keys that the page holds (#shortcuts): `g` and a letter goes to a page of the bar,
   `?` opens the list. Nothing is taken from a field in which somebody types. Loaded before the page's own script.

     act(event)    what the page's list calls the key that is pressed, if it is there
     areOn()       whether letters, figures and signs work; whoever does not want them switches them off in the list */
const shortcuts = (() => {
  "use strict";

  const OFF = "keys-off";
  const PATIENCE = 1500; // milliseconds between g and its letter
  const list = document.getElementById("shortcuts");
  const acts = new Map();
  for (const row of list?.querySelectorAll("[data-act]") || []) {
    for (const key of row.dataset.keys.split(" ")) acts.set(key, row.dataset.act);
  }

  const ways = document.querySelectorAll(".frame [data-letter]");
  const keyCap = (letter) => Object.assign(document.createElement("kbd"), { textContent: letter });

  for (const way of list?.querySelector(".shortcut-ways") ? ways : []) {
    const [row, keys, label] = ["div", "dt", "dd"].map((name) => document.createElement(name));
    keys.append(keyCap("g"), " ", keyCap(way.dataset.letter));
    label.textContent = way.firstChild.textContent.trim();
    row.append(keys, label);
    list.querySelector(".shortcut-ways").append(row);
  }

  const areOn = () => localStorage.getItem(OFF) === null;

  function act(event) {
    const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey) return undefined;
    const name = `${altKey ? "Alt+" : ""}${shiftKey && key.length > 1 ? "Shift+" : ""}${key === " " ? "Space" : key}`;
    return acts.get(name) || acts.get(name.replace("Shift+", "")) || (/^\p{L}$/u.test(name) ? acts.get("a-z") : undefined);
  }

  /* ---- the list ---- */

  const box = document.getElementById("shortcuts-on");

  function open() {
    box.checked = areOn();
    for (const menu of document.querySelectorAll(".frame details, .foot details")) menu.open = false;
    list.showModal();
  }

  if (!list) return { act, areOn };
  box.addEventListener("change", () => {
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "");
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-shortcuts]")) open();
    else if (target === list) list.close(); // beside it
  });

  /* ---- g, ?, Escape ---- */

  const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file]), select, textarea, [contenteditable]";
  let went = 0; // when g was pressed

  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isField = target.matches?.(TYPING);
    if (key === "Escape" && isField && target.closest("main") && !act(event) && !(target.type === "search" && target.value)) target.blur();
    if (isField || list.open || !areOn()) return;
    const isSecond = Date.now() - went < PATIENCE;
    went = 0;
    if (key === "?") {
      event.preventDefault();
      open();
    } else if (isSecond && key.length === 1) {
      const letter = key.toLowerCase().normalize("NFKD")[0];
      const way = [...ways].find(({ dataset }) => dataset.letter === letter);
      if (!way) return;
      event.preventDefault();
      way.click();
    } else if (key === "g" && !act(event)) {
      went = Date.now();
    }
  });

  return { act, areOn };
})();
