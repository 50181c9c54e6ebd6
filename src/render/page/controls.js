// ---- Controls ----

let timer = null;
function next(list, back) {
  const to = back ? list.filter((k) => k < selected).pop() : list.find((k) => k > selected);
  if (to !== undefined) select(to);
}
/** The rows of the steps that either run has in such a list, each once and in order. */
function rowsWith(list) {
  const all = new Set();
  runs.forEach((run, r) => run[list].forEach((step) => all.add(rowOf(r, step))));
  return [...all].sort((a, b) => a - b);
}
let jumps = {divergences: [], apart: [], findings: [], differences: []};
function play() {
  const button = element('play');
  if (timer) {
    clearInterval(timer);
    timer = null;
  } else {
    timer = setInterval(() => {
      if (selected >= rowCount - 1) return play();
      select(selected + 1);
    }, 400);
  }
  button.textContent = timer ? 'Pause' : 'Play';
  button.setAttribute('aria-pressed', String(timer !== null));
}
const page = () => Math.max(1, Math.floor(rows.clientHeight / rowHeight) - 1);
const keys = {
  ArrowDown: () => select(selected + 1), ArrowUp: () => select(selected - 1),
  PageDown: () => select(selected + page()), PageUp: () => select(selected - page()),
  Home: () => select(0), End: () => select(rowCount - 1), ' ': play,
  d: () => next(jumps.divergences), D: () => next(jumps.divergences, true),
  m: () => next(jumps.apart), M: () => next(jumps.apart, true),
  f: () => next(jumps.findings), F: () => next(jumps.findings, true),
  x: () => next(jumps.differences), X: () => next(jumps.differences, true),
};
// Where Tab has led to a part that scrolls, the keys that scroll do that.
let byPointer = true;
document.addEventListener('pointerdown', () => { byPointer = true; }, true);
const scrolls = (event) => !byPointer && /^(Arrow|Page|Home$|End$| $)/.test(event.key) && event.target.closest('#details, #source');
document.addEventListener('keydown', (event) => {
  if (event.key === 'Tab') byPointer = false;
  if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName) ||
      event.target.isContentEditable || scrolls(event)) return;
  if (event.key === ' ' && /^(BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
const onClick = {first: keys.Home, back: keys.ArrowUp, play, forward: keys.ArrowDown, last: keys.End,
                 divergence: keys.d, apart: keys.m, finding: keys.f, different: keys.x};
for (const [id, act] of Object.entries(onClick)) element(id).addEventListener('click', act);
element('step').addEventListener('input', (event) => select(Number(event.target.value)));
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  readColours();
  requestAnimationFrame(draw);
}
element('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
canvas.addEventListener('click', (event) => select(Math.floor((event.offsetY + rows.scrollTop) / rowHeight)));
rows.addEventListener('scroll', () => requestAnimationFrame(draw));
window.addEventListener('resize', () => { if (runs.length) layOut(), draw(); });
element('subgroup').addEventListener('change', (event) => show(Number(event.target.value)));

/** Shows a subgroup; with two runs the one of the same number of each. */
function show(number, row = 0) {
  runs.forEach((run) => run.show(Math.min(number, run.data.subgroups.length - 1)));
  comparison = null;
  if (runs.length > 1) {
    const packed = runs[0].data.comparisons[number];
    const different = packed.different.flatMap(([first, count]) => Array.from({length: count}, (_, k) => first + k));
    comparison = {...packed, rows: allRows(packed.rows), different, differs: new Set(different)};
  }
  rowCount = comparison ? comparison.rows.length : runs[0].count;
  jumps = {divergences: rowsWith('divergences'), apart: rowsWith('apart'), findings: rowsWith('findings'),
           differences: comparison ? comparison.different : []};
  element('divergence').disabled = jumps.divergences.length === 0;
  element('apart').disabled = jumps.apart.length === 0;
  element('finding').disabled = jumps.findings.length === 0;
  element('different').hidden = !comparison;
  element('different').disabled = jumps.differences.length === 0;
  const title = runs[0].subgroup.title;
  element('title').textContent = runs.length > 1 ? `${title}, beside ${runs[1].subgroup.title.replace(/^.*: /, '')}` : title;
  element('step').max = rowCount - 1;
  drawPager();
  source.draw();
  fitLegend();
  layOut();
  describeDifference();
  select(row);
}
/** Shows what was recorded, at a row. */
function load(data, row = 0) {
  if (timer) play();
  runs = [new Run(data)];
  if (data.beside) runs.push(new Run(data.beside));
  const choice = element('subgroup'), differs = (data.comparisons || []).findIndex((c) => c.different.length > 0);
  // At first a subgroup in which two runs differ.
  const number = choice.selectedIndex < 0 ? Math.max(differs, 0) : Math.min(choice.selectedIndex, data.subgroups.length - 1);
  choice.replaceChildren();
  data.subgroups.forEach((s, k) => choice.append(new Option(`${s.subgroup} of workgroup ${s.workgroup.join(', ')}`, k)));
  choice.selectedIndex = number;
  describeRun();
  show(number, row);
}
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
