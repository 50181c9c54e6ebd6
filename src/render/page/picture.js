// ---- The steps that are seen, as a file ----

/** A pen that makes SVG, as far as steps need one. */
class SvgPen {
  constructor(width, height) {
    this.picture = svg('svg', {xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height});
    Object.assign(this, {globalAlpha: 1, lineWidth: 1, dash: [], path: ''});
  }

  add(tag, attributes, text) { this.picture.append(svg(tag, {...attributes, opacity: this.globalAlpha}, text)); }
  fillRect(x, y, width, height) { this.add('rect', {x, y, width, height, fill: this.fillStyle}); }
  strokeRect(x, y, width, height) { this.add('rect', {x, y, width, height, ...this.line()}); }
  fillText(text, x, y) {
    const anchor = this.textAlign === 'center' ? 'middle' : 'start';
    this.add('text', {x, y, dy: '0.35em', 'text-anchor': anchor, style: `font: ${this.font}; white-space: pre`, fill: this.fillStyle}, text);
  }
  measureText(text) {
    screenPen.font = this.font;
    return screenPen.measureText(text);
  }

  line() { return {fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth, 'stroke-dasharray': this.dash.join(' ')}; }
  setLineDash(dash) { this.dash = dash; }
  beginPath() { this.path = ''; }
  moveTo(x, y) { this.path += `M${x} ${y}`; }
  lineTo(x, y) { this.path += `L${x} ${y}`; }
  stroke() { if (this.path) this.add('path', {d: this.path, ...this.line()}); }
}
/** Draws the rows that are seen, with their heads, by the pen that `start` makes for a size. */
function drawSeen(start) {
  const width = rows.clientWidth, heads = runs.length > 1 ? 36 : 18;
  const first = Math.floor(rows.scrollTop / rowHeight), end = Math.min(rowCount, first + Math.ceil(rows.clientHeight / rowHeight));
  const height = heads + (end - first) * rowHeight;
  pen = start(width, height);
  drawRows(first, end, heads, width, height);
  drawHeads(heads);
  pen = screenPen;
}
function download(blob, name) {
  const link = made('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
element('picture').addEventListener('click', () => {
  if (!runs.length) return;
  const picture = made('canvas');
  drawSeen((width, height) => {
    const its = picture.getContext('2d');
    sizeCanvas(picture, its, width, height);
    return its;
  });
  picture.toBlob((blob) => download(blob, 'lanes.png'));
});
element('drawing').addEventListener('click', () => {
  if (!runs.length) return;
  let drawing;
  drawSeen((width, height) => drawing = new SvgPen(width, height));
  download(new Blob([new XMLSerializer().serializeToString(drawing.picture)], {type: 'image/svg+xml'}), 'lanes.svg');
});
