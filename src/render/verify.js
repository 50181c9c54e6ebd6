// Shows what `lockstep verify --json` printed, with the sources.

// ---- The table of entries ----

let shown = [], selected = null;
/** "4-128" for sizes that double, else "8 32". */
function sizesOf(sizes) {
  const double = sizes.length > 2 && sizes.every((size, k) => k === 0 || size === 2 * sizes[k - 1]);
  return double ? `${sizes[0]}-${sizes[sizes.length - 1]}` : sizes.join(' ');
}
/** Mutants that count: those that can run. */
const mutantsOf = (entry) => (entry.mutants || []).filter((mutant) => mutant.not_judged !== 'invalid');
const isUnnoticed = (mutant) => mutant.noticed_by === null;
const isFine = (entry) => entry.result === 'clean' && !mutantsOf(entry).some(isUnnoticed);

function noticedOf(entry) {
  const all = mutantsOf(entry);
  return all.length ? `${all.filter((mutant) => !isUnnoticed(mutant)).length} of ${all.length}` : '';
}

function list() {
  const wanted = element('filter').value, text = element('find').value.toLowerCase();
  shown = data.entries.filter((entry) => (!wanted || entry.result === wanted) &&
    entry.name.toLowerCase().includes(text));
  const table = make('table'), head = make('thead'), body = make('tbody');
  head.append(row([['', 'text'], ['entry', 'text'], ['sizes'], ['explored'], ['compared'], ['never ran'],
    ...(data.mutants ? [['mutants noticed']] : []), ['time']], 'th'));
  for (const entry of shown) {
    const coverage = entry.coverage, runs = entry.exploration ? entry.exploration.runs : '';
    const line = row([[entry.result, `text outcome ${entry.result}`], [entry.name, 'text'], [sizesOf(entry.sizes)],
      [runs], [entry.compared || ''], [coverage && coverage.never_ran ? `${coverage.never_ran} of ${coverage.lines}` : ''],
      ...(data.mutants ? [[noticedOf(entry)]] : []), [`${entry.seconds.toFixed(1)} s`]]);
    line.addEventListener('click', () => select(entry));
    body.append(line);
  }
  table.append(head, body);
  element('jobs').replaceChildren(table);
  element('counts').textContent = `${data.entries.length} entries: ` +
    Object.entries(data.counts).map(([result, count]) => `${count} ${result}`).join(', ') +
    (data.mutants ? `; ${data.mutants.noticed} of ${data.mutants.all} mutants noticed` : '');
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
  const planted = new Map();
  for (const mutant of mutantsOf(entry))
    if (mutant.file === file && isUnnoticed(mutant))
      planted.set(mutant.line, [...(planted.get(mutant.line) || []), mutant]);
  const made = make('div', undefined, 'source');
  data.sources[file].trimEnd().split('\n').forEach((text, k) => {
    const line = k + 1, side = sides.get(line);
    const mark = make('span', side === undefined ? '' : side ? 'T' : 'F', 'number');
    if (side !== undefined) mark.title = `always ${side}`;
    made.append(make('span', `${line}`, 'number'), mark, make('span', text, never.has(line) ? 'never' : ''));
    for (const finding of found.get(line) || [])
      made.append(make('span', `${finding.severity}: ${finding.message} [${finding.rule}]`, 'finding'));
    for (const mutant of planted.get(line) || [])
      made.append(make('span', `mutant ${mutant.number}: ${mutant.change}, which ` +
        (mutant.not_judged ? 'never ran' : 'nothing noticed'), 'mutant'));
  });
  return made;
}

/** All mutants with what noticed them; first those that nothing did. */
function mutantTable(entry) {
  const table = make('table'), head = make('thead'), body = make('tbody');
  head.append(row([['mutant'], ['line'], ['change', 'text'], ['noticed by', 'text'], ['why', 'text long'],
    ['command', 'text long']], 'th'));
  const sorted = [...entry.mutants].sort((a, b) => isUnnoticed(b) - isUnnoticed(a));
  for (const mutant of sorted)
    body.append(row([[mutant.number], [mutant.line || ''], [mutant.change, 'text'],
      [mutant.noticed_by || mutant.not_judged || 'nothing', `text ${isUnnoticed(mutant) && mutant.not_judged !== 'invalid' ? 'outcome' : ''}`],
      [mutant.why || '', 'text long'], [mutant.command || '', 'text long']]));
  table.append(head, body);
  return table;
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
  if (entry.mutants && entry.mutants.length) into.append(make('h3', 'Mutants'), wide(mutantTable(entry)));
  if (entry.no_mutants) into.append(make('p', `No mutants: ${entry.no_mutants}`));
  const named = new Set([...((entry.coverage || {}).ranges || []), ...((entry.coverage || {}).sides || []),
    ...entry.findings, ...mutantsOf(entry).filter(isUnnoticed)].map((one) => one.file));
  if (data.sources[entry.file] !== undefined) named.add(entry.file);
  for (const file of named) {
    if (data.sources[file] === undefined) continue;
    into.append(make('h3', file));
    into.append(wide(source(file, entry)));
  }
}

for (const result of Object.keys(data.counts)) element('filter').append(make('option', result));
list();
const first = data.entries.find((entry) => !isFine(entry));
if (first) select(first);
