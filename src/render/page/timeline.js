// ---- Lanes and steps, drawn on a canvas as far as they are seen ----

const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#a0a000', '#8c6bb1'];
const colourOf = (letter) => palette[(letter.charCodeAt(0) - 65) % palette.length];
const rowHeight = 18, numberWidth = 84, widestCell = 22;
const canvas = element('canvas'), rows = element('rows'), screenPen = canvas.getContext('2d');
let pen = screenPen, cell = 16;
/** Of the style: presentations have larger pixels. */
let zoom = 1;
let colours = {};

/** Where the lanes of a run start. */
const leftOf = (r) => r === 0 ? numberWidth : 2 * numberWidth + cell * runs[0].data.size;
function sizeCells(width) {
  const lanes = runs.reduce((sum, run) => sum + run.data.size, 0);
  const room = Math.max(0.5, (width - numberWidth * runs.length) / lanes);
  cell = room < 2 ? room : Math.min(widestCell, Math.floor(room));
}
function layOut() {
  element('lanes').classList.toggle('two', runs.length > 1);
  element('legend').classList.toggle('one', runs.length < 2);
  // No wider than cells become, so that values have the rest.
  const lanes = runs.reduce((sum, run) => sum + run.data.size, 0), words = runs.length > 1 ? 12 : 150;
  document.querySelector('main').style.setProperty('--lanes', `${numberWidth * runs.length + widestCell * lanes + words}px`);
  const width = rows.clientWidth, height = Math.max(rows.clientHeight, rowHeight);
  sizeCells(width);
  sizeCanvas(canvas, screenPen, width, height);
  element('height').style.height = `${rowCount * rowHeight}px`;
  element('height').style.marginTop = `${-height}px`;
  const heads = element('lanes');
  heads.replaceChildren();
  const every = lanesPerHead();
  runs.forEach((run, r) => {
    if (runs.length > 1) {
      const name = made('span', nameOf(run), 'name');
      name.title = nameOf(run);
      name.style.left = `${leftOf(r)}px`;
      name.style.maxWidth = `${nameRoom(r)}px`;
      heads.append(name);
    }
    for (let lane = 0; lane < run.data.size; lane += every) {
      const head = made('span', lane);
      head.style.left = `${leftOf(r) + lane * cell}px`;
      heads.append(head);
    }
  });
}
const nameOf = (run) => run.subgroup.title.replace(/^.*: /, '');
/** Up to the lanes of the next run. */
const nameRoom = (r) => (r + 1 < runs.length ? leftOf(r + 1) : rows.clientWidth) - leftOf(r) - 8;
/** Each so many lanes one has its number above it. */
const lanesPerHead = () => cell >= 16 ? 1 : cell >= 8 ? 4 : cell >= 4 ? 8 : 16;
function sizeCanvas(one, its, width, height) {
  const scale = (window.devicePixelRatio || 1) * zoom;
  one.width = Math.floor(width * scale);
  one.height = Math.floor(height * scale);
  one.style.width = `${width}px`;
  one.style.height = `${height}px`;
  its.setTransform(scale, 0, 0, scale, 0, 0);
}
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['back', 'text', 'faint', 'select', 'bad']) colours[name] = style.getPropertyValue(`--${name}`).trim();
  colours.waits = document.documentElement.dataset.theme === 'dark' ? 0.5 : 0.3;
}
function draw() {
  if (!runs.length) return;
  const height = rows.clientHeight, first = Math.floor(rows.scrollTop / rowHeight);
  drawRows(first, Math.min(rowCount, first + Math.ceil(height / rowHeight) + 1), -(rows.scrollTop - first * rowHeight), rows.clientWidth, height);
}
function drawRows(first, end, y, width, height) {
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = 'middle';
  for (let row = first; row < end; ++row, y += rowHeight) {
    if (row === selected) {
      pen.fillStyle = colours.select;
      pen.fillRect(0, y, width, rowHeight);
    }
    stepsOf(row).forEach((step, r) => { if (step >= 0) drawStep(runs[r], runs[r].stepAt(step), leftOf(r), y, width); });
    if (comparison && comparison.differs.has(row)) drawDifference(row, y);
  }
}
function drawStep(run, step, left, y, width) {
  const middle = y + rowHeight / 2;
  pen.font = '11px ui-monospace, monospace';
  pen.textAlign = 'left';
  pen.fillStyle = colours.faint;
  pen.fillText(String(step.line || '').padStart(5), left - numberWidth + 4, middle);
  drawMark(step, left - numberWidth + 48, y);
  step.tangles.forEach((tangle, t) => {
    const letter = step.names[t] || 'A';
    for (const lane of run.lanesOf(tangle)) drawCell(left + lane * cell, y, letter, run.has(step.aside, lane) ? 'aside' : 'active');
  });
  for (const lane of run.lanesOf(step.waiting)) drawCell(left + lane * cell, y, step.waitingNames[lane] || 'A', 'waits');
  if (runs.length > 1) return;
  pen.textAlign = 'left';
  pen.fillStyle = colours.text;
  pen.font = '11px ui-monospace, monospace';
  const x = left + cell * run.data.size + 6;
  pen.fillText(fitted(step.note, width - x - 4), x, middle);
}
/** As much of a text as there is room for. */
function fitted(text, room) {
  if (pen.measureText(text).width <= room) return text;
  const letters = Math.floor(room / pen.measureText('0').width) - 1;
  return letters < 3 ? '' : `${text.slice(0, letters)}…`;
}
/** A sign before the second run, and a frame around the first lane with a different value. */
function drawDifference(row, y) {
  pen.fillStyle = colours.bad;
  pen.textAlign = 'left';
  pen.font = 'bold 13px system-ui, sans-serif';
  pen.fillText('≠', leftOf(1) - numberWidth + 2, y + rowHeight / 2);
  if (!comparison.value || comparison.value.row !== row) return;
  pen.strokeStyle = colours.bad;
  pen.lineWidth = 3;
  runs.forEach((run, r) => pen.strokeRect(leftOf(r) + comparison.value.lane * cell - 1, y + 1, cell + 1, rowHeight - 2));
  pen.lineWidth = 1;
}
/** A fork where lanes diverge or the other side starts, a join where they rejoin, two lines where they stay apart. */
function drawMark(step, x, y) {
  const top = y + 3, middle = y + rowHeight / 2, bottom = y + rowHeight - 3;
  const line = (...points) => {
    pen.moveTo(...points[0]);
    for (const point of points.slice(1)) pen.lineTo(...point);
  };
  const apart = step.kind === isMerge && step.outcome === 2;
  pen.strokeStyle = apart ? colours.bad : colours.text;
  pen.lineWidth = 1.5;
  pen.setLineDash(step.kind === isMerge && step.outcome === 1 ? [2, 2] : []);
  pen.beginPath();
  if (apart) line([x + 3, top], [x + 3, bottom]), line([x + 11, top], [x + 11, bottom]);
  else if (step.kind === isMerge) line([x + 1, top], [x + 7, middle], [x + 13, top]), line([x + 7, middle], [x + 7, bottom]);
  else if (step.kind === isOtherSide) line([x + 1, top], [x + 13, bottom]);
  else if (step.diverges) line([x + 7, top], [x + 7, middle]), line([x + 1, bottom], [x + 7, middle], [x + 13, bottom]);
  pen.stroke();
  pen.setLineDash([]);
  pen.lineWidth = 1;
}
function drawCell(x, y, letter, how) {
  const size = cell < 2 ? cell : cell - 1, own = colourOf(letter);
  if (how === 'waits') {
    pen.globalAlpha = colours.waits;
    pen.fillStyle = own;
    pen.fillRect(x, y + 6, size, rowHeight - 12);
    pen.globalAlpha = 1;
    return;
  }
  pen.fillStyle = own;
  if (how === 'aside' && cell < 8) {
    pen.globalAlpha = 0.5;
    pen.fillRect(x, y + 4, size, rowHeight - 8);
    pen.globalAlpha = 1;
  } else if (how === 'aside') {
    pen.strokeStyle = own;
    pen.strokeRect(x + 1, y + 2.5, Math.max(1, size - 2), rowHeight - 5);
  } else {
    pen.fillRect(x, y + 1, size, rowHeight - 2);
  }
  if (cell < 12) return;
  pen.fillStyle = how === 'aside' ? colours.text : isLight(own) ? '#000000' : '#ffffff';
  pen.font = 'bold 11px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.fillText(how === 'aside' ? letter.toLowerCase() : letter, x + size / 2, y + rowHeight / 2 + 1);
}
/** Whether dark letters are easier to read on it. */
function isLight(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.3 * red + 0.6 * green + 0.1 * blue > 140;
}

// ---- On paper: all rows, in pieces that fit on a page ----

const printedRows = 1500, rowsInPiece = 40;
function drawForPrint() {
  const to = element('printed');
  to.replaceChildren();
  if (!runs.length) return;
  const root = document.documentElement, theme = root.dataset.theme, before = selected;
  root.dataset.theme = 'light';
  readColours();
  const width = 700, cellBefore = cell;
  sizeCells(width - 120);
  selected = -1;
  const end = Math.min(rowCount, printedRows), heads = runs.length > 1 ? 36 : 18;
  for (let first = 0; first < end; first += rowsInPiece) {
    const piece = made('canvas'), last = Math.min(end, first + rowsInPiece), height = heads + (last - first) * rowHeight;
    pen = piece.getContext('2d');
    sizeCanvas(piece, pen, width, height);
    drawRows(first, last, heads, width, height);
    drawHeads(heads);
    to.append(piece);
  }
  if (end < rowCount) to.append(made('p', `The first ${end} of ${rowCount} steps.`));
  pen = screenPen;
  cell = cellBefore;
  selected = before;
  root.dataset.theme = theme;
  readColours();
}
/** The numbers of the lanes, and of two runs their names. */
function drawHeads(height) {
  pen.textAlign = 'left';
  pen.fillStyle = colours.text;
  runs.forEach((run, r) => {
    pen.font = 'bold 10px ui-monospace, monospace';
    if (runs.length > 1) pen.fillText(fitted(nameOf(run), nameRoom(r)), leftOf(r), 9);
    pen.font = '10px ui-monospace, monospace';
    for (let lane = 0; lane < run.data.size; lane += lanesPerHead()) pen.fillText(lane, leftOf(r) + lane * cell, height - 9);
  });
}
addEventListener('beforeprint', drawForPrint);
addEventListener('afterprint', () => element('printed').replaceChildren());
