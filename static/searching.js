/* Names found by typing, as on the server (make_search_key). picker: look() marks those that fit; take() is the one that is meant. */
const searching = (() => {
  "use strict";

  const letters = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  const lower = (text) => text.normalize("NFC").toLowerCase();
  const strip = (text) => text.replace(/[ßæœøłđðþı]/g, (letter) => letters[letter]).normalize("NFKD").replace(/\p{M}/gu, "");
  const fold = (text) => strip(lower(text));
  const split = (typed) => fold(typed).split(/[\s,]+/).filter(Boolean);

  function has(text, typed) {
    const key = `${fold(text)} ${strip(lower(text).replace(/[äöü]/g, "$&e"))}`;
    return split(typed).every((word) => key.includes(word));
  }

  function tell(typed, fits, waits) {
    const said = document.getElementById("typed-said");
    const { none, one, several } = said.dataset;
    said.textContent = !split(typed).length ? "" : !fits ? none : waits ? several.replace("{number}", fits) : one;
  }

  function picker({ field, rows, text }) {
    let chosen;

    function look() {
      const typed = field().value;
      const fits = split(typed).length ? rows().filter((row) => has(text(row), typed)) : [];
      const meant = fits.length === 1 ? fits[0] : fits.find((row) => row === chosen);
      for (const row of rows()) {
        row.classList.toggle("is-found", fits.includes(row));
        row.classList.toggle("is-meant", row === meant);
      }
      (meant || fits[0])?.scrollIntoView({ block: "nearest" });
      tell(typed, fits.length, !meant);
      return { fits, meant };
    }

    function move(step) {
      const { fits, meant } = look();
      chosen = fits.at((fits.indexOf(meant) + (meant || step > 0 ? step : 0)) % fits.length);
      look();
    }

    return { look, move, take: () => look().meant };
  }

  return { fold, has, tell, picker };
})();
