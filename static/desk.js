/* The hall's desk: the picture of the screen is laid out as the screen itself is (screen_fit.js), a button's answer takes the place of
   the page's content, and keys press buttons: 1 to 4, in the ceremony the arrows and what a presenter's remote sends (PageDown, PageUp). */
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

  /* ---- keys ---- */

  function press(event) {
    if (!shortcuts.areOn() || event.repeat) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const act = shortcuts.act(event);
    const button = act && document.querySelector(`[data-key="${CSS.escape(act === "press" ? event.key : act)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    if (button.matches("summary")) button.parentElement.querySelector("input:not([type=hidden])")?.focus();
  }

  addEventListener("keydown", press);

  /* ---- a button pressed: what was unfolded stays so, and the same button keeps the focus ---- */

  const main = document.querySelector("main");
  const named = ({ name, value }) => `button[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;

  function show(fresh, button) {
    const unfolded = [...main.querySelectorAll(".desk-folds > [id][open]")].map(({ id }) => id);
    const had = button?.name && document.activeElement === button ? named(button) : "";
    main.replaceChildren(...document.importNode(fresh, true).childNodes);
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    if (had) main.querySelector(had)?.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("tso:news"));
  }

  async function send(form, button) {
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const body = new FormData(form);
    if (button?.name) body.append(button.name, button.value);
    const answer = await fetch(address, { method: "POST", body });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main[data-news]");
    if (!answer.ok || !fresh) return location.assign(answer.redirected ? answer.url : location.href); // signed out, or refused
    show(fresh, button);
  }

  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method !== "post" || !main.contains(form)) return;
    event.preventDefault();
    if (main.ariaBusy) return; // a second press while the first is on its way
    main.ariaBusy = "true";
    send(form, submitter).catch(() => location.reload()).finally(() => { main.ariaBusy = null; });
  });

  document.addEventListener("tso:news", pictures);
  addEventListener("resize", pictures);
  document.fonts?.ready.then(pictures);
  pictures();
})();
