// ---- Source, with the work of each line ----

const sourceView = {
  draw() {
    const source = element('list') || element('source');
    source.replaceChildren();
    runs.forEach((run, r) => {
      const names = run.data.files.map((file) => file.name).join();
      if (r > 0 && names === runs[0].data.files.map((file) => file.name).join()) return;
      if (runs.length > 1 && r > 0) source.append(made('h2', 'Beside'));
      drawFiles(source, run, r);
    });
  },
  highlight(marks) {
    for (const row of document.querySelectorAll('.code.here')) row.classList.remove('here');
    const source = element('source');
    for (const {run, file, line} of marks) {
      const row = element(`line-${run}-${file}-${line}`);
      if (!row) continue;
      row.classList.add('here');
      const at = row.offsetTop - source.offsetTop;
      if (at < source.scrollTop || at + 18 > source.scrollTop + source.clientHeight)
        source.scrollTop = at - source.clientHeight / 2;
    }
  },
};
/** What shows the source: here a list of its lines. */
let source = sourceView;

/** By "file:line" how often a line ran, once for each tangle, and with how many lanes in all. */
function workOf(run) {
  const work = new Map();
  for (const s of run.subgroup.steps) {
    const [kind, file, line] = run.data.places[s[0]];
    if (kind !== isLine) continue;
    const key = `${file}:${line}`, one = work.get(key) ?? {times: 0, lanes: 0};
    for (const tangle of run.data.states[s[1]][0]) {
      ++one.times;
      one.lanes += run.lanesOf(tangle).length;
    }
    work.set(key, one);
  }
  return work;
}
const mostTimes = (work) => Math.max(1, ...[...work.values()].map(({times}) => times));
function drawFiles(to, run, r) {
  const work = workOf(run), most = mostTimes(work);
  run.data.files.forEach((file, f) => {
    if (run.data.files.length > 1) to.append(made('h2', file.name));
    file.lines.forEach((text, k) => {
      const bar = heatBar(run, work.get(`${f}:${k + 1}`), most), row = made('div', '', 'code');
      row.id = `line-${r}-${f}-${k + 1}`;
      row.title = bar.title;
      if (run.foundAt.has(`${file.name}:${k + 1}`)) row.classList.add('found');
      row.append(made('span', k + 1, 'number'), bar, made('span', text));
      row.addEventListener('click', () => goToLine(r, f, k + 1));
      to.append(row);
    });
    if (file.lines.length === 0) to.append(made('p', `${file.name} has no source to show`));
  });
}
/** As long as the line ran often, and dark for the share of the lanes that were at work. */
function heatBar(run, work, most) {
  const heat = made('span', '', 'heat');
  if (!work || work.times === 0) return heat;
  const {times, lanes} = work, busy = lanes / (times * run.data.size), bar = made('span'), dark = made('span', '', 'busy');
  bar.style.width = `${Math.max(1, Math.round(40 * times / most))}px`;
  dark.style.width = `${Math.round(100 * busy)}%`;
  bar.append(dark);
  heat.append(bar);
  heat.title = `ran ${times === 1 ? 'once' : `${times} times`}, ${Math.round(100 * busy)} % of its lanes at work`;
  return heat;
}
/** The next step at a line after the selected one, else the first. */
function goToLine(r, file, line) {
  const all = runs[r].steps((place) => place[1] === file && place[2] === line).map((step) => rowOf(r, step));
  if (all.length) select(all.find((row) => row > selected) ?? all[0]);
}
