// ---- Findings and buffers ----

function describeRun() {
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
  if (buffer.more) to.append(made('p', `and ${buffer.more} more elements`));
}
