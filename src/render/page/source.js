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

/** How often each line ran, by "file:line". */
function workOf(run) {
  const work = new Map();
  for (const s of run.subgroup.steps) {
    const [kind, file, line] = run.data.places[s[0]];
    if (kind !== isLine) continue;
    const key = `${file}:${line}`;
    work.set(key, (work.get(key) || 0) + 1);
  }
  return work;
}
function drawFiles(to, run, r) {
  const work = workOf(run), most = Math.max(1, ...work.values());
  run.data.files.forEach((file, f) => {
    if (run.data.files.length > 1) to.append(made('h2', file.name));
    file.lines.forEach((text, k) => {
      const times = work.get(`${f}:${k + 1}`) || 0, row = made('div', '', 'code');
      row.id = `line-${r}-${f}-${k + 1}`;
      row.title = times ? `ran ${times} times` : '';
      if (run.foundAt.has(`${file.name}:${k + 1}`)) row.classList.add('found');
      row.append(made('span', k + 1, 'number'), heatBar(times, most), made('span', text));
      row.addEventListener('click', () => goToLine(r, f, k + 1));
      to.append(row);
    });
    if (file.lines.length === 0) to.append(made('p', `${file.name} cannot be read`));
  });
}
function heatBar(times, most) {
  const heat = made('span', '', 'heat'), bar = made('span');
  bar.style.width = `${Math.round(40 * times / most)}px`;
  heat.append(bar);
  return heat;
}
/** The next step at a line after the selected one, else the first. */
function goToLine(r, file, line) {
  const all = runs[r].steps((place) => place[1] === file && place[2] === line).map((step) => rowOf(r, step));
  if (all.length) select(all.find((row) => row > selected) ?? all[0]);
}
