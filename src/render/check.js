// Shows what `lockstep check --json` printed.

const verdicts = ['equal', 'allowed', 'unordered', 'undefined', 'racy', 'open', 'wrong'];
const letters = {equal: '', allowed: 'a', unordered: 'u', undefined: '?', racy: 'r', open: 'o', wrong: 'W'};
const meanings = {
  equal: 'the bits of Lockstep, or of a known order', allowed: 'inside the bounds', unordered: 'the order of atomics',
  undefined: 'the specification says nothing', racy: 'invocations access it without an order',
  open: 'depends on a rounding, or on choices not all tried', wrong: 'no conforming device gives it',
};
const mostCells = 4096;

// ---- The table of jobs ----

const total = (job, verdict) => (job.buffers || []).reduce((sum, b) => sum + b.counts[verdict], 0);
const present = verdicts.filter((v) => data.jobs.some((job) => total(job, v) > 0));
const devices = new Set(data.jobs.map((job) => job.device)).size;
let shown = [], selected = null;
const isFine = (job) => job.outcome === 'right';

function list() {
  const wanted = element('filter').value, text = element('find').value.toLowerCase();
  shown = data.jobs.filter((job) => (!wanted || job.outcome === wanted) &&
    `${job.name || ''} ${job.folder} ${job.device || ''}`.toLowerCase().includes(text));
  const table = make('table'), head = make('thead'), body = make('tbody');
  head.append(row([['', 'text'], ['job', 'text'], ...present.map((v) => [v]), ...(devices > 1 ? [['device', 'text']] : [])], 'th'));
  for (const job of shown) {
    const line = row([[job.outcome, `text outcome ${job.outcome}`], [job.name || job.folder, 'text'],
      ...present.map((v) => [total(job, v) || '']), ...(devices > 1 ? [[job.device || '', 'text']] : [])]);
    line.addEventListener('click', () => select(job));
    body.append(line);
  }
  table.append(head, body);
  element('jobs').replaceChildren(table);
  const counts = Object.entries(data.counts).filter(([outcome, count]) => count || /right|wrong/.test(outcome));
  element('counts').textContent =
    `${data.jobs.length} jobs: ${counts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`;
  select(shown.includes(selected) ? selected : shown[0] || null);
}

function select(job) {
  selected = job;
  markRow(job);
  describe(job);
}

// ---- The selected job ----

/** Of each element in its order. */
function verdictsOf(buffer) {
  const all = [];
  for (const [verdict, count] of buffer.verdicts) for (let k = 0; k < count; ++k) all.push(verdict);
  return all;
}

function cell(verdict, title) {
  const made = make('div', letters[verdict], `cell ${verdict || ''}`);
  made.title = title;
  return made;
}

function elementMap(buffer, across) {
  const all = verdictsOf(buffer), map = make('div', undefined, 'map');
  map.style.gridTemplateColumns = `repeat(${across + 1}, auto)`;
  for (let k = 0; k < Math.min(all.length, mostCells); ++k) {
    if (k % across === 0) map.append(make('div', `${k}`, 'cell head'));
    const lane = buffer.lanes ? `, ${laneName(buffer.lanes[k])}` : '';
    map.append(cell(all[k], `[${k}]: ${all[k]}${lane}`));
  }
  return map;
}

function laneName(number) {
  if (number < 0) return 'never written';
  const size = selected.subgroup_size;
  return `subgroup ${Math.floor(number / size)}, lane ${number % size}`;
}

/** A row for each subgroup, a column for each lane. */
function laneMap(job) {
  const worst = new Map(), size = job.subgroup_size;
  for (const buffer of job.buffers) {
    if (!buffer.lanes) continue;
    verdictsOf(buffer).forEach((verdict, k) => {
      const lane = buffer.lanes[k], rank = verdicts.indexOf(verdict);
      if (lane >= 0) worst.set(lane, Math.max(rank, worst.get(lane) ?? 0));
    });
  }
  if (worst.size === 0) return null;
  const map = make('div', undefined, 'map');
  map.style.gridTemplateColumns = `repeat(${size + 1}, auto)`;
  const rows = Math.floor(Math.max(...worst.keys()) / size) + 1;
  for (let r = 0; r < rows; ++r) {
    map.append(make('div', `${r}`, 'cell head'));
    for (let lane = 0; lane < size; ++lane) {
      const verdict = worst.has(r * size + lane) ? verdicts[worst.get(r * size + lane)] : '';
      map.append(cell(verdict, `${laneName(r * size + lane)}: ${verdict || 'writes nothing'}`));
    }
  }
  return map;
}

function writerText(writer) {
  if (writer === undefined) return '';
  if (writer === null) return 'never written';
  return `workgroup ${writer.workgroup.join(', ')}, subgroup ${writer.subgroup}, lane ${writer.lane}` +
    (writer.line > 0 ? `, ${writer.file}:${writer.line}` : '');
}

function offenders(buffer) {
  const table = make('table'), head = make('thead'), body = make('tbody');
  head.append(row([['element', 'text'], ['verdict', 'text'], ['device'], ['Lockstep'], ['allowed', 'text'],
    ['why', 'text long'], ['written by', 'text long']], 'th'));
  for (const one of buffer.first)
    body.append(row([[one.member || `[${one.index}]`, 'text'], [one.verdict, `text`], [one.device, 'value'],
      [one.reference, 'value'], [one.low === undefined ? '' : `${one.low} to ${one.high}`, 'text value'],
      [one.reason || '', 'text long'], [writerText(one.writer), 'text long']]));
  table.append(head, body);
  return wide(table);
}

/** Buffers with the worst elements first. */
function worstFirst(buffers) {
  const rank = (buffer) => verdicts.findLastIndex((verdict) => buffer.counts[verdict] > 0);
  return [...buffers].sort((a, b) => rank(b) - rank(a));
}

function describe(job) {
  const into = element('job');
  into.replaceChildren();
  if (!job) return into.append(make('p', 'No job is shown.'));
  into.append(make('h2', job.name || job.folder));
  if (job.error) return into.append(make('p', job.error));
  into.append(make('p', `${job.source} on ${job.device || 'an unnamed device'} (${job.driver}), subgroups of ` +
    `${job.subgroup_size}, ${job.groups.join(' x ')} workgroups`, 'faint'));
  if (job.explanation)
    into.append(make('p', `${job.explanation.same_device ? 'A behaviour that Vulkan allows' :
      'A behaviour that this device does not have'} gives these results: ${job.explanation.options}`));
  for (const buffer of worstFirst(job.buffers)) {
    into.append(make('h3', `Buffer ${buffer.set}:${buffer.binding} ${buffer.name}: ${buffer.elements} x ${buffer.type}`));
    let text = verdicts.filter((v) => buffer.counts[v]).map((v) => `${buffer.counts[v]} ${v}`).join(', ');
    if (buffer.order) text += `; sums in the order ${buffer.order}`;
    if (buffer.worst && buffer.worst.verdict === 'allowed')
      text += `; the furthest is [${buffer.worst.index}]: ${buffer.worst.ulps.toFixed(1)} ULP, ` +
        `${(buffer.worst.share * 100).toFixed(0)} % of what is allowed`;
    into.append(make('p', text));
    if (buffer.first.length > 0) into.append(offenders(buffer));
    const box = wide(elementMap(buffer, Math.max(32, job.subgroup_size)));
    if (buffer.elements > mostCells) box.append(make('p', `${buffer.elements - mostCells} more`, 'faint'));
    into.append(box);
  }
  if (job.lines && job.lines.length) {
    into.append(make('h3', 'Lines'));
    const code = make('table'), body = make('tbody');
    for (const line of job.lines)
      body.append(row([[`${line.file}:${line.line}`, 'text'], [line.text, 'text code']]));
    code.append(body);
    into.append(wide(code));
  }
  const lanes = laneMap(job);
  if (lanes) {
    into.append(make('h3', 'Lanes, a row for each subgroup'));
    into.append(wide(lanes));
  }
}

for (const verdict of verdicts) {
  const key = make('span', letters[verdict], `key cell ${verdict}`);
  element('legend').append(key, `${verdict}: ${meanings[verdict]}`);
}
list();
const first = data.jobs.find((job) => job.outcome === 'wrong');
if (first) select(first);
