// Shows what `lockstep verify --json` printed, with the sources.

// ---- The table of entries ----

let shown = [], selected = null;
/** "4-128" for sizes that double, else "8 32". */
function sizesOf(sizes) {
  const double = sizes.length > 2 && sizes.every((size, k) => k === 0 || size === 2 * sizes[k - 1]);
  return double ? `${sizes[0]}-${sizes[sizes.length - 1]}` : sizes.join(' ');
}
const isFine = (entry) => entry.result === 'clean';

function list() {
  const wanted = element('filter').value, text = element('find').value.toLowerCase();
  shown = data.entries.filter((entry) => (!wanted || entry.result === wanted) &&
    entry.name.toLowerCase().includes(text));
  const table = make('table'), head = make('thead'), body = make('tbody');
  head.append(row([['', 'text'], ['entry', 'text'], ['sizes'], ['explored'], ['compared'], ['never ran'], ['time']], 'th'));
  for (const entry of shown) {
    const coverage = entry.coverage, runs = entry.exploration ? entry.exploration.runs : '';
    const line = row([[entry.result, `text outcome ${entry.result}`], [entry.name, 'text'], [sizesOf(entry.sizes)],
      [runs], [entry.compared || ''], [coverage && coverage.never_ran ? `${coverage.never_ran} of ${coverage.lines}` : ''],
      [`${entry.seconds.toFixed(1)} s`]]);
    line.addEventListener('click', () => select(entry));
    body.append(line);
  }
  table.append(head, body);
  element('jobs').replaceChildren(table);
  element('counts').textContent = `${data.entries.length} entries: ` +
    Object.entries(data.counts).map(([result, count]) => `${count} ${result}`).join(', ');
  select(shown.includes(selected) ? selected : shown[0] || null);
}

function select(entry) {
  selected = entry;
  markRow(entry);
  describe(entry);
}

// ---- The selected entry ----

function bullets(texts, tag) {
  const made = make('ul');
  for (const text of texts) {
    const item = make('li');
    item.append(make(tag, text));
    made.append(item);
  }
  return made;
}

/** The lines of a file, with coverage and findings. */
function source(file, entry) {
  const never = new Set(), sides = new Map(), found = new Map();
  const coverage = entry.coverage || {ranges: [], sides: []};
  for (const range of coverage.ranges)
    if (range.file === file) for (let k = range.first; k <= range.last; ++k) never.add(k);
  for (const side of coverage.sides) if (side.file === file) sides.set(side.line, side.always);
  for (const finding of entry.findings)
    if (finding.file === file) found.set(finding.line, [...(found.get(finding.line) || []), finding]);
  const made = make('div', undefined, 'source');
  data.sources[file].trimEnd().split('\n').forEach((text, k) => {
    const line = k + 1, side = sides.get(line);
    const mark = make('span', side === undefined ? '' : side ? 'T' : 'F', 'number');
    if (side !== undefined) mark.title = `always ${side}`;
    made.append(make('span', `${line}`, 'number'), mark, make('span', text, never.has(line) ? 'never' : ''));
    for (const finding of found.get(line) || [])
      made.append(make('span', `${finding.severity}: ${finding.message} [${finding.rule}]`, 'finding'));
  });
  return made;
}

function describe(entry) {
  const into = element('entry');
  into.replaceChildren();
  if (!entry) return into.append(make('p', 'No entry is shown.'));
  into.append(make('h2', entry.name), make('p', entry.result));
  if (entry.reasons.length) into.append(bullets(entry.reasons, 'span'));
  if (entry.coverage && entry.coverage.text) into.append(make('p', entry.coverage.text));
  if (entry.notes.length) into.append(bullets(entry.notes, 'span'));
  into.append(make('h3', 'Commands'), bullets(entry.commands, 'code'));
  const named = new Set([...((entry.coverage || {}).ranges || []), ...((entry.coverage || {}).sides || []),
    ...entry.findings].map((one) => one.file));
  if (data.sources[entry.file] !== undefined) named.add(entry.file);
  for (const file of named) {
    if (data.sources[file] === undefined) continue;
    into.append(make('h3', file));
    into.append(wide(source(file, entry)));
  }
}

for (const result of Object.keys(data.counts)) element('filter').append(make('option', result));
list();
const first = data.entries.find((entry) => entry.result !== 'clean');
if (first) select(first);
