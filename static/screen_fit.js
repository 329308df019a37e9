/* How rows and pairs fill a glass of any size. The letters' size is a share of its height, and never so small that the last
   row cannot read them; the longest name does not make all others small: it goes on in a second line, or is cut at a word.
   The same lays out the glass itself (screen.js) and its picture at the desk (glass.js). */
const screenFit = (() => {
  "use strict";

  const SMALLEST = { usual: 0.033, large: 0.05 }; // of the height: names, in rows and where a pair's are long
  const PAIRS_FROM = { usual: 0.0385, large: 0.06 }; // of the height: names of pairs that are not long
  const LARGEST = 0.075;
  const GAP = 1.5; // between columns of rows, in letters
  const TRIED = 40; // pixels: the letters with which everything is measured; all else follows, since all lengths are in em
  /* Widths in em beyond which a name goes on in a second line, each with what a page of it counts: as long as it saves few
     pages, names stay in one line. */
  const ROOMS = [[24, 1], [17, 1.1], [13, 1.2], [10, 1.35]];
  const MOST_AIR = 0.25; // above and below a row, in letters, so that the fullest column ends at the foot

  const height = ({ glass }) => Math.min(glass.width, glass.height); // a glass that stands is as high as it is wide
  const share = (shares, box) => height(box) * shares[box.large ? "large" : "usual"];

  /* ---- names that are too long ---- */

  function cutAtWord(text, fits) {
    const whole = text.textContent.trim();
    text.title = whole;
    const words = whole.split(/(?<=[\s-])/);
    while (words.length > 1 && !fits()) {
      words.pop();
      text.textContent = `${words.join("").replace(/[\s,-]+$/, "")} …`;
    }
    for (let long = words.join("").length; long > 1 && !fits(); long -= 1) {
      text.textContent = `${whole.slice(0, long)}…`;
    }
  }

  function cutToTwoLines(text) {
    const line = parseFloat(getComputedStyle(text).lineHeight);
    if (text.offsetHeight > 2.5 * line) cutAtWord(text, () => text.offsetHeight <= 2.5 * line);
  }

  /* ---- rows: as large as they may be, in as few pages as they need, in one, two or three columns ---- */

  /* What a table needs with letters of TRIED pixels: the width of each column, the height of the head and of each row. */
  function measure(table, stage, room, counts, spare) {
    const box = document.createElement("div");
    box.className = `screen-measure${spare ? "" : " without-spare"}`;
    box.style.setProperty("--room", `${room}em`);
    box.style.fontSize = `${TRIED}px`;
    const copy = table.cloneNode(true);
    box.append(copy);
    stage.append(box);
    copy.querySelectorAll("tbody .name span").forEach(cutToTwoLines);
    const found = {
      copy,
      room,
      counts,
      spare,
      widths: [...copy.tHead.rows[0].cells].map((cell) => cell.getBoundingClientRect().width),
      width: copy.getBoundingClientRect().width,
      head: copy.tHead.getBoundingClientRect().height,
      heights: [...copy.tBodies[0].rows].map((row) => row.getBoundingClientRect().height),
    };
    box.remove();
    return found;
  }

  const sumOf = (figures) => figures.reduce((sum, each) => sum + each, 0);

  /* The rows in columns that are at most so high: where each column begins and ends. */
  function packed(heights, most) {
    const columns = [];
    let from = 0;
    let sum = 0;
    heights.forEach((each, at) => {
      if (sum + each > most && at > from) {
        columns.push([from, at]);
        from = at;
        sum = 0;
      }
      sum += each;
    });
    columns.push([from, heights.length]);
    return columns;
  }

  /* The same rows spread evenly over as many columns as they need anyway. */
  function even(heights, most, count) {
    let low = Math.max(...heights);
    let high = most;
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (packed(heights, middle).length <= count) high = middle;
      else low = middle;
    }
    return packed(heights, high);
  }

  function tried(found, font, columns, box) {
    const scale = font / TRIED;
    const heights = found.heights.map((each) => Math.ceil(each * scale));
    const most = box.height - Math.ceil(found.head * scale) - 2;
    if (most < Math.max(...heights)) return null;
    const needed = packed(heights, most).length;
    return { ...found, font, columns, heights, most, pages: Math.ceil(needed / columns) };
  }

  const cost = ({ pages, counts }) => pages * counts;
  const worth = ({ font, counts, spare }) => (font * (spare ? 1.2 : 1)) / counts;

  /* Fewer pages first, then larger letters; columns that can be spared, and names in one line, are worth somewhat smaller
     ones. */
  function better(one, other) {
    if (!other) return true;
    return one.pages === other.pages ? worth(one) > worth(other) : cost(one) < cost(other);
  }

  function candidates(found, box) {
    const least = share(SMALLEST, box);
    let best = null;
    for (const columns of [1, 2, 3]) {
      const wide = (columns * found.width) / TRIED + (columns - 1) * GAP; // in letters
      const most = Math.min(height(box) * LARGEST, (box.width - 1) / wide);
      for (let font = most; font >= least; font -= Math.max(0.25, most / 80)) {
        const one = tried(found, font, columns, box);
        if (one && better(one, best)) best = one;
      }
    }
    return best;
  }

  /* Where nothing fits by rule (a very small glass): the smallest room, and letters as small as that needs. */
  function squeezed(found, box) {
    for (let font = (box.width / found.width) * TRIED; font > 1; font *= 0.9) {
      const one = tried(found, font, 1, box);
      if (one) return one;
    }
    return null;
  }

  function layRows(table, stage, box) {
    if (!table.tBodies[0].rows.length) return null;
    let found = null;
    let last = null;
    const hasSpare = table.querySelector(".spare") !== null;
    for (const spare of hasSpare ? [true, false] : [false]) {
      for (const [room, counts] of ROOMS) {
        last = measure(table, stage, room, counts, spare);
        const one = candidates(last, box);
        if (one && better(one, found)) found = one;
      }
    }
    found ||= squeezed(last, box);
    if (!found) return null;
    const columns = even(found.heights, found.most, found.pages * found.columns);
    const pages = [];
    for (let at = 0; at < columns.length; at += found.columns) pages.push(columns.slice(at, at + found.columns));
    const rooms = columns.map(([from, to]) => (found.most - sumOf(found.heights.slice(from, to))) / (2 * (to - from)));
    const air = Math.max(0, Math.min(MOST_AIR * found.font, ...rooms));
    return { count: pages.length, letters: found.font, draw: (number) => drawRows(found, pages[number], air) };
  }

  /* One page, as tables side by side. */
  function drawRows(laid, columns, air) {
    const page = document.createElement("div");
    page.className = `screen-page${laid.spare ? "" : " without-spare"}`;
    page.style.setProperty("--air", `${air}px`);
    page.style.fontSize = `${laid.font}px`;
    page.style.setProperty("--room", `${laid.room}em`);
    page.style.setProperty("--columns", laid.columns);
    for (const [from, to] of columns) page.append(column(laid, from, to));
    return page;
  }

  function column(laid, from, to) {
    const made = laid.copy.cloneNode(false);
    const head = laid.copy.tHead.cloneNode(true);
    const whole = sumOf(laid.widths);
    [...head.rows[0].cells].forEach((cell, at) => { cell.style.width = `${(100 * laid.widths[at]) / whole}%`; });
    const body = document.createElement("tbody");
    for (let at = from; at < to; at += 1) body.append(laid.copy.tBodies[0].rows[at].cloneNode(true));
    made.append(head, body);
    made.style.maxWidth = `${(1.6 * whole) / TRIED}em`;
    return made;
  }

  /* ---- pairs: cards of equal height, the last one at the foot ---- */

  const CARD = 2.5; // heights of a card: two names and what is around them, in letters
  const BESIDE = 3.1; // widths beside a name: table number and edges, in letters
  const SCORE = 2.5; // and a score
  const USUAL = 0.7; // of the names are no longer than the one that the letters go by

  function usualWidth(list, stage) {
    const box = document.createElement("div");
    box.className = "screen-measure screen-page";
    box.style.fontSize = `${TRIED}px`;
    for (const name of list.querySelectorAll(".screen-name")) {
      const copy = document.createElement("p");
      copy.textContent = name.textContent;
      box.append(copy);
    }
    box.style.display = "grid";
    box.style.justifyItems = "start";
    stage.append(box);
    const widths = [...box.children].map((each) => each.getBoundingClientRect().width / TRIED).sort((a, b) => a - b);
    box.remove();
    return widths[Math.min(widths.length - 1, Math.floor(USUAL * widths.length))];
  }

  function layPairs(list, stage, box) {
    const pairs = [...list.children];
    if (!pairs.length) return null;
    const wide = BESIDE + usualWidth(list, stage) + (list.querySelector(".is-over") ? SCORE : 0);
    const font = (rows, columns) => Math.min(
      (box.height / rows) / (CARD + 0.2),
      (box.width / columns) / (wide + 0.4),
      height(box) * LARGEST,
    );
    let best = null;
    for (const columns of [1, 2, 3, 4]) {
      let rows = 1;
      while (font(rows + 1, columns) >= share(PAIRS_FROM, box)) rows += 1;
      const pages = Math.ceil(pairs.length / (rows * columns));
      rows = Math.ceil(pairs.length / (pages * columns));
      const one = { columns, rows, pages, letters: font(rows, columns) };
      const isBetter = !best || one.pages < best.pages || (one.pages === best.pages && one.letters > best.letters * 1.05);
      if (one.letters >= share(PAIRS_FROM, box) * 0.999 ? isBetter || best.isSmall : !best) {
        best = { ...one, isSmall: one.letters < share(PAIRS_FROM, box) * 0.999 };
      }
    }
    const of = (number) => pairs.slice(number * best.rows * best.columns, (number + 1) * best.rows * best.columns);
    return { count: best.pages, letters: best.letters, draw: (number) => drawPairs(list, of(number), best), least: share(SMALLEST, box) };
  }

  function drawPairs(list, pairs, { columns, rows, letters }) {
    const page = list.cloneNode(false);
    page.classList.add("screen-page");
    page.style.fontSize = `${letters}px`;
    page.style.setProperty("--columns", columns);
    page.style.setProperty("--rows", rows);
    page.append(...pairs.map((each) => each.cloneNode(true)));
    return page;
  }

  const overflows = (card) => card.scrollHeight > card.clientHeight + 1;

  /* A name that is too long for its line: a little smaller, else in two lines, else cut at a word. The table's number keeps
     its size, and so does the opponent where there is room. */
  function settleName(name, letters, least) {
    const isWide = () => name.scrollWidth > name.clientWidth + 1;
    if (!isWide()) return;
    const smallest = Math.min(letters, least);
    name.style.fontSize = `${Math.max(smallest, (letters * name.clientWidth) / name.scrollWidth - 0.5)}px`;
    if (!isWide()) return;
    const shrink = (side) => { side.style.fontSize = `${smallest}px`; };
    name.style.fontSize = "";
    shrink(name.parentElement); // its score too
    if (!isWide()) return;
    name.classList.add("is-wrapped");
    const card = name.closest(".screen-pair");
    if (overflows(card)) card.querySelectorAll(".screen-side").forEach(shrink);
    const line = parseFloat(getComputedStyle(name).lineHeight);
    const fits = () => !overflows(card) && !isWide() && name.scrollHeight < 2.5 * line;
    if (!fits()) cutAtWord(name, fits);
  }

  /* After a page is in its place: names that need their own size. */
  function settle(page, laid) {
    if (!laid.least) return;
    page.querySelectorAll(".screen-name").forEach((name) => settleName(name, laid.letters, laid.least));
  }

  /* The pages of a part for a box (width, height, the glass around it, whether letters are to be large); null for a part that
     fills the glass by itself. */
  function lay(section, stage, box) {
    const table = section.querySelector(":scope > .screen-rows");
    if (table) return layRows(table, stage, box);
    const pairs = section.querySelector(":scope > .screen-pairs");
    return pairs ? layPairs(pairs, stage, box) : null;
  }

  /* A text as large as its box allows. */
  function swell(text, box, largest) {
    let low = largest / 40;
    let high = largest;
    while (high - low > 1) {
      const middle = (low + high) / 2;
      text.style.fontSize = `${middle}px`;
      if (text.scrollHeight <= box.height && text.scrollWidth <= box.width) low = middle;
      else high = middle;
    }
    text.style.fontSize = `${low}px`;
  }

  /* Put one page of a part into the stage; the texts of a part that has no pages become as large as they can. */
  function show(section, stage, laid, number, box) {
    stage.querySelectorAll(":scope > .screen-page").forEach((old) => old.remove());
    section.hidden = Boolean(laid);
    if (laid) {
      const page = laid.draw(number);
      stage.append(page);
      settle(page, laid);
    }
    for (const text of section.querySelectorAll(".screen-big, .screen-sentence")) {
      swell(text, box, height(box) * (text.matches(".screen-big") ? 0.3 : 0.08));
    }
  }

  return { lay, show };
})();
