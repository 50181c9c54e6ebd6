// ---- The selected step ----

function select(k) {
  if (!rowCount) return describeNothing();
  selected = Math.max(0, Math.min(rowCount - 1, k));
  element('step').value = selected;
  const top = selected * rowHeight, page = rows.clientHeight;
  if (comparison && comparison.value && comparison.value.row === selected) showLane(comparison.value.lane);
  if (top < rows.scrollTop || top + rowHeight > rows.scrollTop + page) rows.scrollTop = top - page / 2;
  const steps = stepsOf(selected).map((number, r) => number < 0 ? null : {run: runs[r], r, number, step: runs[r].stepAt(number)});
  const shown = steps.filter((s) => s);
  source.highlight(shown.map(({r, step}) => ({run: r, file: step.file, line: step.line})));
  element('back').disabled = element('first').disabled = selected === 0;
  element('forward').disabled = element('last').disabled = selected === rowCount - 1;
  describe(steps);
  requestAnimationFrame(draw);
}

// Tables have a column for each lane: of large subgroups for 32 at a time, as more take long to lay out.
const lanesInTable = 32;
let firstLane = 0;
const laneCount = () => Math.max(...runs.map((run) => run.data.size));
const isShown = (lane) => lane >= firstLane && lane < firstLane + lanesInTable;
function showLane(lane) {
  firstLane = lane - lane % lanesInTable;
  for (const button of element('pager').children) button.setAttribute('aria-pressed', String(Number(button.value) === firstLane));
}
/** Buttons that choose the lanes of tables. */
function drawPager() {
  const to = element('pager'), count = laneCount();
  to.replaceChildren();
  to.hidden = count <= lanesInTable;
  for (let first = 0; first < count && !to.hidden; first += lanesInTable) {
    const button = made('button', `Lanes ${first}-${Math.min(first + lanesInTable, count) - 1}`);
    button.value = first;
    button.addEventListener('click', () => { showLane(first); select(selected); });
    to.append(button);
  }
  showLane(firstLane < count ? firstLane : 0);
}
/** Of a run without steps. */
function describeNothing() {
  for (const id of ['operations', 'stack']) element(id).replaceChildren();
  dropVariables();
  element('now').replaceChildren(made('h2', 'No steps'), made('p', 'No line of this shader was executed: it does nothing.'));
  source.highlight([]);
  requestAnimationFrame(draw);
}
const and = (words) => words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
function sentence(run, step) {
  const lanesText = (mask) => run.lanesText(mask);
  const tangles = step.tangles.map((t, k) => `${lanesText(t)} (${step.names[k]})`);
  const areMany = step.tangles.length > 1 || run.lanesOf(step.tangles[0] ?? step.waiting).length > 1;
  const verb = (many, one) => areMany ? many : one;
  const at = (how) => step.line ? `${how} line ${step.line}` : '';  // compilers may leave lines out
  const text = (() => {
    if (step.kind === isMerge) {
      const met = and(step.arrivals.map((m) => lanesText(m)));
      const end = step.outcome === 2 ? `they stay apart: ${step.why}` :
          step.outcome === 1 ? 'they rejoin, although nothing promises it' : 'they rejoin, as the rule promises';
      return `${met} meet at the end of the construct${at(' that starts on')}; ${end}. ${and(tangles)} ${verb('go', 'goes')} on.`;
    }
    if (step.kind === isOtherSide) return `${and(tangles)} ${verb('execute', 'executes')} the other side of ${step.line ? `line ${step.line}` : 'the branch'}.`;
    let all = `${and(tangles)} ${step.tangles.length > 1 ? 'execute this line one after another' : verb('execute this line together', 'executes this line')}`;
    if (step.trip) all += `, iteration ${step.trip}`;
    all += '.';
    if (run.lanesOf(step.aside).length) all += ` The condition is false for ${lanesText(step.aside)}.`;
    if (step.diverges) all += ' Here lanes diverge.';
    return all;
  })();
  const waits = run.lanesOf(step.waiting).length ? ` ${lanesText(step.waiting)} ${run.lanesOf(step.waiting).length > 1 ? 'wait' : 'waits'}.` : '';
  return (text + waits).replace(/(^|\. )([a-z])/g, (all, before, letter) => before + letter.toUpperCase());
}
function describe(steps) {
  const now = element('now'), shown = steps.filter((s) => s);
  const [{run, step, number}] = shown, beside = comparison && shown.length < 2 ? (steps[0] ? ', not beside' : ', only beside') : '';
  now.replaceChildren(made('h2', `Step ${number + 1} of ${run.count}${step.line ? `, line ${step.line}` : ''}${beside}`));
  const text = run.sourceLine(step.file, step.line);
  if (text) {
    const code = made('p');
    code.append(made('code', text));
    now.append(code);
  }
  for (const {run, r, step} of shown) {
    now.append(made('p', (r > 0 ? 'Beside: ' : '') + sentence(run, step)));
    if (step.note) now.append(made('p', `${r > 0 ? 'Result beside' : 'Result'}: ${step.note.replace(/^= /, '')}`));
  }
  for (const {run, r, number} of shown)
    if (run.subgroup.steps_left_out && number === run.count - 1)
      now.append(made('p', `The run${r > 0 ? ' beside' : ''} has ${run.subgroup.steps_left_out} more steps, which are left out so that the page stays small.`));
  if (comparison && comparison.differs.has(selected)) now.append(made('p', differenceHere(), 'error'));
  for (const {run, r, step} of shown) describeFindingsHere(now, run, r, step);
  for (const id of ['operations', 'stack']) element(id).replaceChildren();
  for (const s of shown) describeOperations(s);
  describeVariables(shown);
  for (const s of shown) describeStack(s);
  if (steps[0]) markMemory(steps[0]);
}
/** What a checked run found at the step's line, without the notes. */
function describeFindingsHere(to, run, r, step) {
  if (step.kind === isMerge) return;
  const {name} = run.data.files[step.file];
  for (const f of run.data.findings)
    if (f.file === name && f.line === step.line)
      to.append(made('p', `${r > 0 ? 'Beside: ' : ''}${f.severity}: ${f.message} [${f.rule}]`, f.severity === 'error' ? 'error' : ''));
}
function describeStack({run, r, step}) {
  const to = element('stack'), title = r > 0 ? 'Reconvergence stack beside' : 'Reconvergence stack';
  to.append(made('h2', title));
  if (step.stack.length === 0) return to.append(made('p', 'Empty: lanes are in no construct.'));
  const ranges = (mask) => run.rangesOf(mask);
  to.append(table(title, ['construct', 'line', 'entered', 'waiting', 'arrived', 'continue'],
                  step.stack.map(([kind, line, entered, waiting, arrived, continuing]) =>
                    [kind, line, entered.map((m) => `{${ranges(m)}}`).join(' '), ranges(waiting), ranges(arrived), ranges(continuing)])));
}

/** Rows of text, nodes, or [text, class]. */
function table(label, heads, body) {
  const all = made('table'), row = made('tr');
  for (const head of heads) row.append(made('th', head));
  all.append(row);
  for (const cells of body) {
    const line = made('tr');
    cells.forEach((c, k) => {
      const one = made(k === 0 ? 'th' : 'td', Array.isArray(c) ? c[0] : c instanceof Node ? '' : c, Array.isArray(c) ? c[1] : '');
      if (c instanceof Node) one.append(c);
      line.append(one);
    });
    all.append(line);
  }
  return scrolling(all, label);
}
/** Wide tables scroll by themselves, also by keyboard. */
function scrolling(node, label) {
  const box = made('div', '', 'wide');
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  box.append(node);
  return box;
}

// ---- Variables ----

/** A row for each variable that has a value, a column for each lane; what the step has changed stands out. */
function describeVariables(shown) {
  const to = element('variables');
  const lanes = [...Array(laneCount()).keys()].filter(isShown), body = [];
  const isKept = ({run, number}) => !run.subgroup.variables_left_out || number < run.subgroup.variables_left_out;
  const limit = shown.find((s) => !isKept(s)), kept = shown.filter(isKept);
  const perRun = kept.map(({run, number}) => run.variables().map((v) => ({name: v.name, values: run.valuesAfter(v, number), number})));
  perRun.forEach((variables, s) => variables.forEach((variable, k) => {
    if (variable.values.every((v) => v === null)) return;
    const other = perRun.length > 1 ? perRun[1 - s][k] : null;
    if (s > 0 && other && variable.values.every((v, lane) => v && other.values[lane] ? v[0] === other.values[lane][0] : v === other.values[lane])) return;
    body.push([(kept[s].r > 0 ? 'beside: ' : '') + variable.name, ...lanes.map((lane) =>
      variableCell(variable, lane, other && other.name === variable.name ? other.values[lane] : null))]);
  }));
  if (body.length === 0 && !limit) return dropVariables();
  body.sort((a, b) => a[0].replace('beside: ', '').localeCompare(b[0].replace('beside: ', ''), 'en', {numeric: true}));
  if (!limit && updateVariables(lanes, body)) return;
  dropVariables();
  to.append(made('h2', 'Variables'));
  if (body.length) to.append(table('Variables of each lane', ['lane', ...lanes], body));
  if (!limit) shownVariables = namesOf(lanes, body);
  if (limit) to.append(made('p', `Values of variables are kept up to step ${limit.run.subgroup.variables_left_out}, so that the page stays small.`));
}
/** The lanes and variables of the table that is shown, empty if it is none that can be used again. */
let shownVariables = '';
const namesOf = (lanes, body) => JSON.stringify([lanes, body.map(([name]) => name)]);
function dropVariables() {
  shownVariables = '';
  element('variables').replaceChildren();
}
/** Changes what differs in the table of the step before, which is quicker than a new one; whether it can be used. */
function updateVariables(lanes, body) {
  if (shownVariables !== namesOf(lanes, body)) return false;
  const lines = element('variables').querySelectorAll('tr');
  body.forEach((cells, k) => {
    const line = lines[k + 1].children;
    for (let c = 1; c < cells.length; ++c) {
      const [text, name] = Array.isArray(cells[c]) ? cells[c] : [cells[c], ''];
      if (line[c].textContent !== text) line[c].textContent = text;
      if (line[c].className !== name) line[c].className = name;
    }
  });
  return true;
}
function variableCell({values, number}, lane, other) {
  const value = values[lane];
  if (!value) return '-';
  const differs = other && other[0] !== value[0], changed = value[1] === number;
  return [shortened(value[0]), `${changed ? 'changed' : ''}${differs ? ' differs' : ''}`];
}

// ---- Differences of two runs ----

function differenceHere() {
  const {value} = comparison;
  if (value && value.row === selected) return `First different value: ${valueDifference()}.`;
  const pair = comparison.rows[selected];
  if (pair.some((step) => step < 0)) return 'Only one of the runs has this step.';
  return comparison.together === selected ? 'Here, different lanes are together for the first time.' : 'This step differs from the one beside.';
}
function valueDifference() {
  const {lane, what, first, second} = comparison.value;
  return `lane ${lane}, ${what}: ${shortened(first.trim())}, beside ${shortened(second.trim())}`;
}
function describeDifference() {
  const to = element('difference');
  to.replaceChildren();
  if (!comparison) return;
  to.append(made('h2', 'Two runs'), made('p', `${runs[0].subgroup.title}; beside: ${runs[1].subgroup.title}`));
  if (comparison.different.length === 0) return to.append(made('p', comparison.left_out ? 'They do not differ in the steps of this page.' : 'They do not differ.'));
  const go = (row, text) => {
    const button = made('button', text, 'jump');
    button.addEventListener('click', () => select(row));
    const line = made('p');
    line.append(button);
    to.append(line);
  };
  if (comparison.together !== null) go(comparison.together, `Different lanes are together from row ${comparison.together + 1} on`);
  if (comparison.value) go(comparison.value.row, `First different value: ${valueDifference()}`);
  else to.append(made('p', comparison.left_out ? 'No lane gets a different value in the steps of this page.' : 'No lane gets a different value.'));
}
