// ---- Findings and buffers ----

/** Of each buffer its name, the size of an element, and a row of cells for what the selected step does to it. */
let memoryMarks = [];
/** Says below each element of memory which lanes of the first run access it in this step. */
function markMemory({run, step}) {
  for (const mark of memoryMarks) {
    for (const cell of mark.touched) cell.textContent = cell.className = '';
    mark.touched = [];
  }
  for (const k of step.operations) {
    const [kind, , mask, , , object, places, extent] = run.subgroup.operations[k];
    const mark = kind !== 'built-in' && memoryMarks.find(({name}) => name === run.data.texts[object]);
    if (!mark) continue;
    run.lanesOf(mask).forEach((lane, n) => {
      if (places[n] < 0) return;
      for (let at = Math.floor(places[n] / mark.bytes); at * mark.bytes < places[n] + extent && at < mark.cells.length; ++at) {
        const cell = mark.cells[at];
        cell.textContent += `${cell.textContent && ', '}${kind} ${lane}`;
        cell.className = 'text changed';
        mark.touched.push(cell);
      }
    });
  }
}
function describeRun() {
  memoryMarks = [];
  const to = element('findings'), buffers = element('buffers');
  to.replaceChildren();
  buffers.replaceChildren();
  runs.forEach((run, r) => {
    const {data} = run, beside = r > 0 ? ' beside' : '';
    if (data.findings.length) to.append(made('h2', `Findings${beside}`));
    for (const f of data.findings) {
      to.append(made('p', `${f.file}:${f.line}: ${f.severity}: ${f.message} [${f.rule}]`, f.severity === 'error' ? 'error' : ''));
      if (f.note) to.append(made('p', f.note));
    }
    if (data.error) to.append(made('p', `${r > 0 ? 'Beside: ' : ''}${data.error}`, 'error'));
  });
  runs[0].data.buffers.forEach((buffer, k) => describeBuffer(buffers, buffer, runs.length > 1 ? runs[1].data.buffers[k] : null));
}
/** A buffer before and after the run, and after the run beside it. */
function describeBuffer(to, buffer, other) {
  to.append(made('h2', buffer.title));
  const body = [['before', ...buffer.before],
                ['after', ...buffer.after.map((v, k) => [v, buffer.before[k] !== v ? 'changed' : ''])]];
  if (other && other.title === buffer.title)
    body.push(['beside', ...other.after.map((v, k) => [v, buffer.after[k] !== v ? 'differs' : ''])]);
  to.append(table(buffer.title, ['element', ...buffer.after.keys()], body));
  const marks = made('tr'), name = /\((.*)\)$/.exec(buffer.title)?.[1] ?? buffer.title;
  marks.append(made('th', 'this step'), ...buffer.after.map(() => made('td', '', 'text')));
  to.lastChild.querySelector('table').append(marks);
  memoryMarks.push({name, bytes: buffer.bytes, cells: [...marks.children].slice(1), touched: []});
  if (buffer.more) to.append(made('p', `and ${buffer.more} more elements`));
}
