/* The players and clubs whom a reader follows. Their numbers, and the clubs as “club:” and a name, stay in this browser and
   in the address of the event's page (?follow=), so that it can be kept and sent on. The event's page ([data-mine]) shows where each sits, a table ([data-mine-rows])
   marks their rows, leads to the first and to theirs only, and is searched while a name is typed, and a player's own page ([data-me]) tells
   where its player reports. Without this script the forms and links do all of it but remember. */
(() => {
  "use strict";

  const box = document.querySelector("[data-mine]");
  const rows = document.querySelector("[data-mine-rows]");
  const own = document.querySelector("[data-me]");
  const slug = box?.dataset.mine || rows?.dataset.mineRows || own?.dataset.me;
  if (!slug) return;
  const names = { keys: `tso mine ${slug}`, players: `tso mine players ${slug}`, own: `tso me ${slug}` };

  function recall(name) {
    try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } // a browser that keeps nothing
  }

  function keep(name, value) {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
    } catch { /* it is asked again the next time */ }
  }

  const address = new URL(location.href);
  const told = ["follow", "mine"].flatMap((name) => address.searchParams.getAll(name));

  function list(name) {
    const known = recall(name);
    return Array.isArray(known) ? known : [];
  }

  const followed = () => list(names.keys);

  /* ---- a player's own page: they follow themselves, first ---- */

  if (own) {
    const { key, link } = own.dataset;
    keep(names.own, { key, link });
    keep(names.keys, [key, ...followed().filter((each) => each !== key)]);
  }

  /* ---- rows of a table ---- */

  function find(text) {
    let fits = 0;
    for (const row of rows.querySelectorAll("tr[data-player]")) {
      row.hidden = !searching.has(row.querySelector(".name").textContent, text);
      fits += row.hidden ? 0 : 1;
    }
    rows.classList.toggle("is-searched", text.trim() !== "");
    searching.tell(text, fits);
  }

  function mark() {
    const keys = [...followed(), ...list(names.players)]; // the players of the clubs as they were last
    lead();
    document.querySelectorAll("tr[data-player]").forEach((row) => { row.classList.toggle("me", keys.includes(row.dataset.player)); });
    const way = document.querySelector("[data-to-me]");
    if (!way || !rows) return;
    const mine = keys.map((key) => rows.querySelector(`tr[data-player="${CSS.escape(key)}"]`)).find(Boolean);
    way.hidden = !mine;
    if (mine) way.href = `#${mine.id}`;
  }

  /* The ways to a page without anybody else. */
  function lead() {
    const keys = followed();
    const there = new URL(location.href);
    ["follow", "mine"].forEach((name) => there.searchParams.delete(name));
    keys.forEach((key) => there.searchParams.append("follow", key));
    there.searchParams.set("only", "yes");
    document.querySelectorAll("a[data-only]").forEach((way) => {
      way.href = there;
      way.hidden = !keys.length;
    });
  }

  if (rows) {
    document.addEventListener("input", ({ target }) => { if (target.matches("[data-find]")) find(target.value); });
    if (told.length) keep(names.keys, told);
    if (told.length) keep(names.players, [...rows.querySelectorAll("tr.me")].map((row) => row.dataset.player));
  }

  /* ---- the event's page ---- */

  const shown = box?.querySelector("[data-mine-list]");
  const form = box?.querySelector("form");

  function write(keys) {
    keep(names.keys, keys.length ? keys : null);
    if (!keys.length) keep(names.players, null);
    ["follow", "mine"].forEach((name) => address.searchParams.delete(name));
    keys.forEach((key) => address.searchParams.append("follow", key));
    history.replaceState(null, "", address);
    form.querySelectorAll("input[type=hidden][name=follow]").forEach((each) => each.remove());
    box.querySelectorAll("input[type=checkbox]").forEach((each) => { each.checked = keys.includes(each.value); });
    box.querySelector("[data-mine-some]").hidden = !keys.length;
    lead();
    document.dispatchEvent(new CustomEvent("tso:followed", { detail: keys }));
  }

  /* Without this player: of their club, if it is followed, all others stay. */
  function leaveOut({ player, club }) {
    const others = club ? [...shown.children].filter((each) => each.dataset.club === club).map((each) => each.dataset.player) : [];
    write([...new Set(followed().flatMap((key) => (key === club ? others : [key])))].filter((key) => key !== player));
  }

  function dress(card, isFirst) {
    card.classList.toggle("is-own", isFirst);
    const needs = card.querySelector("details");
    if (needs) needs.open = isFirst;
    const report = card.querySelector("[data-report]");
    const mine = recall(names.own);
    if (report && mine && mine.key === card.dataset.player) {
      report.href = mine.link;
      report.hidden = false;
    }
    const away = document.createElement("button");
    away.type = "button";
    away.className = "btn btn-quiet followed-away";
    away.textContent = "×";
    away.setAttribute("aria-label", box.dataset.away.replace("{name}", card.querySelector("a").textContent));
    away.addEventListener("click", () => {
      if (recall(names.own)?.key === card.dataset.player) keep(names.own, null);
      leaveOut(card.dataset);
      show().then(() => form.elements.namedItem("who").focus());
    });
    card.append(away);
    return card;
  }

  async function show() {
    const keys = followed();
    if (!keys.length) {
      shown.replaceChildren();
      return;
    }
    const answer = await fetch(box.dataset.address, { cache: "no-cache" });
    if (!answer.ok) return;
    const came = new DOMParser().parseFromString(await answer.text(), "text/html");
    const named = (key) => [...came.querySelectorAll(`[data-player="${CSS.escape(key)}"], [data-club="${CSS.escape(key)}"]`)];
    const cards = [...new Set(keys.flatMap(named))];
    const known = keys.filter((key) => named(key).length);
    if (known.length < keys.length) write(known);
    keep(names.players, cards.map((card) => card.dataset.player));
    const open = new Set([...shown.querySelectorAll("details[open]")].map((each) => each.closest("[data-player]").dataset.player));
    const isFresh = !shown.dataset.drawn;
    shown.replaceChildren(...cards.map((card, at) => dress(document.importNode(card, true), at === 0)));
    shown.dataset.drawn = "";
    if (!isFresh) shown.querySelectorAll("details").forEach((each) => { each.open = open.has(each.closest("[data-player]").dataset.player); });
  }

  if (box) {
    form.addEventListener("submit", (event) => {
      const field = form.elements.namedItem("who");
      const typed = searching.fold(field.value.trim());
      const offered = [...box.querySelectorAll("datalist option")];
      const found = offered.filter((each) => searching.fold(each.value) === typed);
      const meant = found.length ? found : offered.filter((each) => typed && searching.has(each.value, typed));
      if (meant.length !== 1) return; // the server says what is the matter
      event.preventDefault();
      const { key } = meant[0].dataset;
      field.value = "";
      write([...followed().filter((each) => each !== key), key]);
      show().then(mark);
    });
    box.querySelector("[data-mine-forget]").addEventListener("click", () => write([]));
    const known = offeredKeys();
    const keys = told.length ? told.map((name) => known.get(searching.fold(name)) || name) : followed();
    write([...new Set(keys)]);
  }

  function offeredKeys() {
    return new Map([...box.querySelectorAll("datalist option")].map((each) => [searching.fold(each.value), each.dataset.key]));
  }

  function refresh() {
    if (box) show().catch(() => {});
    if (box || rows) mark();
    const search = rows && document.querySelector("[data-find]");
    if (search?.value) find(search.value);
  }

  document.addEventListener("tso:news", refresh);
  addEventListener("pageshow", refresh); // also when coming back
})();
