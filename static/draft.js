/* Picking two players of a draft by clicking or typing. Without this the boxes are ticked and a button is pressed. */
(() => {
  "use strict";

  const form = document.getElementById("by-hand");
  if (!form) return;
  const said = form.querySelector(".pick-said");
  const typed = document.getElementById("pick-typed");
  const boxes = [...document.querySelectorAll("input[name=pick]")];
  const nameOf = (box) => box.closest(".pick").querySelector(".pick-name").textContent.trim();
  const ask = form.querySelector("[name=ask]");
  const acts = [...form.querySelectorAll("[name=pair], [name=swap], [name=ask]")];
  const answer = document.getElementById("pick-answer");
  let order = []; // the boxes ticked, the oldest first
  let asking = false; // the second name is for “Why not …?”

  typed.hidden = false;
  document.getElementById("pick-keys").hidden = false;

  function show() {
    const [one, two] = order.map(nameOf);
    const text = two ? form.dataset.two : one ? (asking ? form.dataset.asking : form.dataset.one) : form.dataset.none;
    said.textContent = text.replace("{one}", one).replace("{two}", two);
    acts.forEach((button) => { button.disabled = order.length < 2; });
    boxes.forEach((box) => box.closest("tr, li")?.classList.toggle("row-now", order.includes(box)));
  }

  function tick(box) {
    box.checked = true;
    order = [...order.filter((other) => other !== box), box];
    while (order.length > 2) order.shift().checked = false;
    answer.replaceChildren();
    show();
    if (asking && order.length === 2) {
      asking = false;
      ask.click();
    }
  }

  function clear() {
    order.forEach((box) => { box.checked = false; });
    order = [];
    asking = false;
    answer.replaceChildren();
    typed.value = "";
    find();
    show();
  }

  /* ---- typing ---- */

  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace("ß", "ss").toLowerCase();

  function find() {
    const words = fold(typed.value).split(/[\s,]+/).filter(Boolean);
    const fits = (box) => words.length > 0 && words.every((word) => fold(nameOf(box)).includes(word));
    const found = boxes.filter((box) => !box.checked && fits(box));
    boxes.forEach((box) => box.closest(".pick").classList.toggle("pick-found", box === found[0]));
    if (found[0]) found[0].closest("tr, li")?.scrollIntoView({ block: "nearest" });
    return found[0];
  }

  function submit(name) {
    if (order.length === 2) form.requestSubmit(form.querySelector(`[name=${name}]`));
  }

  typed.addEventListener("input", find);

  function keyed(event) {
    if (event.key === "Escape") {
      clear();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      const found = event.target === typed && typed.value.trim() ? find() : null;
      if (found) {
        tick(found);
        typed.value = "";
        find();
      } else {
        submit(event.shiftKey ? "swap" : "pair");
      }
    }
  }

  typed.addEventListener("keydown", keyed);
  boxes.forEach((box) => {
    box.addEventListener("keydown", keyed);
    box.addEventListener("change", () => {
      if (box.checked) tick(box);
      else {
        order = order.filter((other) => other !== box);
        show();
      }
    });
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    clear();
    typed.focus();
  });

  /* ---- “Why not …?” at a pair: its first player is picked, and the second name is asked for ---- */

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-why]");
    const box = link && boxes.find((each) => each.value === link.dataset.why);
    if (!box || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    clear();
    asking = true;
    tick(box);
    typed.focus();
  });
  form.addEventListener("htmx:responseError", () => location.reload()); // signed out, or the draft is gone

  /* ---- whether reasons are shown stays as it was left on this device ---- */

  const shown = document.getElementById("show-reasons");
  const store = "tso draft reasons";
  try {
    if (localStorage.getItem(store) === "hidden") shown.checked = false;
    shown.addEventListener("change", () => localStorage.setItem(store, shown.checked ? "shown" : "hidden"));
  } catch { /* a browser that keeps nothing shows them */ }

  /* Whoever goes back finds what was ticked, restored by the browser after this script has run, or with the page as it was. */
  addEventListener("pageshow", () => {
    order = boxes.filter((box) => box.checked);
    while (order.length > 2) order.shift().checked = false;
    show();
  });
})();
