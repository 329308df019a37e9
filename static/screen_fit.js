/* How rows fill a glass of any size: as large as they may be, in as few pages as they need with the smallest letters that can
   still be read across a hall, in one, two or three columns. Nothing is cut: a long name goes on in a second line. */
const screenFit = (() => {
  "use strict";

  const SMALLEST = 0.025; // of the shorter side of the glass: letters that the last row can read
  const LARGEST = 0.066;
  const LEAST = 15; // pixels
  const GAP = 1.5; // between columns, in letters
  const TRIED = 40; // pixels: the letters with which everything is measured; all else follows, since all lengths are in em
  /* Widths in em beyond which a name goes on in a second line, each with what a page of it counts: as long as it saves few
     pages, names stay in one line. */
  const ROOMS = [[24, 1], [17, 1.1], [13, 1.2], [10, 1.35]];

  /* What a table needs with letters of TRIED pixels: the width of each column, the height of the head and of each row. */
  function measure(table, room, counts, spare) {
    const box = document.createElement("div");
    box.className = `screen-measure${spare ? "" : " without-spare"}`;
    box.style.setProperty("--room", `${room}em`);
    box.style.fontSize = `${TRIED}px`;
    const copy = table.cloneNode(true);
    box.append(copy);
    document.getElementById("screen-stage").append(box);
    const found = {
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

  /* The rows in columns that are at most so high: where each column begins and ends. */
  function packed(heights, most) {
    const columns = [];
    let from = 0;
    let sum = 0;
    heights.forEach((height, at) => {
      if (sum + height > most && at > from) {
        columns.push([from, at]);
        from = at;
        sum = 0;
      }
      sum += height;
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
    const heights = found.heights.map((height) => Math.ceil(height * scale));
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
    const shorter = Math.min(box.glass.width, box.glass.height);
    const least = Math.max(LEAST, shorter * SMALLEST);
    let best = null;
    for (const columns of [1, 2, 3]) {
      const width = (box.width - (columns - 1) * GAP * least) / columns;
      const most = Math.min(Math.max(LEAST, shorter * LARGEST), (width / found.width) * TRIED);
      for (let font = most; font >= least; font -= 0.5) {
        const one = tried(found, font, columns, box);
        if (one && better(one, best)) best = one;
      }
    }
    return best;
  }

  /* Where nothing fits by rule (very long names on a very small glass): the smallest room, and letters as small as that needs. */
  function squeezed(found, box) {
    for (let font = (box.width / found.width) * TRIED; font > 4; font *= 0.9) {
      const one = tried(found, font, 1, box);
      if (one) return one;
    }
    return null;
  }

  function best(table, box) {
    let chosen = null;
    let last = null;
    const hasSpare = table.querySelector(".spare") !== null;
    for (const spare of hasSpare ? [true, false] : [false]) {
      for (const [room, counts] of ROOMS) {
        last = measure(table, room, counts, spare);
        const one = candidates(last, box);
        if (one && better(one, chosen)) chosen = one;
      }
    }
    return chosen || squeezed(last, box);
  }

  /* The pages of a table for a box: letters, widths, and from where to where each column of each page goes. */
  function lay(table, box) {
    if (!table.tBodies[0].rows.length) return null;
    const found = best(table, box);
    if (!found) return null;
    const columns = even(found.heights, found.most, found.pages * found.columns);
    const pages = [];
    for (let at = 0; at < columns.length; at += found.columns) pages.push(columns.slice(at, at + found.columns));
    return { ...found, pages };
  }

  /* One page, as tables side by side. */
  function drawn(table, laid, number) {
    const page = document.createElement("div");
    page.className = `screen-page${laid.spare ? "" : " without-spare"}`;
    page.style.fontSize = `${laid.font}px`;
    page.style.setProperty("--room", `${laid.room}em`);
    page.style.setProperty("--columns", laid.columns);
    for (const [from, to] of laid.pages[number]) page.append(column(table, laid, from, to));
    return page;
  }

  function column(table, laid, from, to) {
    const made = table.cloneNode(false);
    const head = table.tHead.cloneNode(true);
    const whole = laid.widths.reduce((sum, width) => sum + width, 0);
    [...head.rows[0].cells].forEach((cell, at) => { cell.style.width = `${(100 * laid.widths[at]) / whole}%`; });
    const body = document.createElement("tbody");
    for (let at = from; at < to; at += 1) body.append(table.tBodies[0].rows[at].cloneNode(true));
    made.append(head, body);
    made.style.maxWidth = `${(1.6 * whole) / TRIED}em`;
    return made;
  }

  /* A text as large as its box allows. */
  function swell(text, box, largest) {
    let low = 10;
    let high = largest;
    while (high - low > 1) {
      const middle = (low + high) / 2;
      text.style.fontSize = `${middle}px`;
      if (text.scrollHeight <= box.height && text.scrollWidth <= box.width) low = middle;
      else high = middle;
    }
    text.style.fontSize = `${low}px`;
  }

  return { lay, drawn, swell };
})();
