'use strict';
// Draws the recorded steps. Everything repeated is in tables of `data`; steps refer to it by number.

const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);
const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#a0a000', '#8c6bb1'];
const rowHeight = 18, numberWidth = 84;

// ---- Sets of lanes ----

const masks = data.masks.map((hex) => BigInt('0x' + hex));
const has = (mask, lane) => (masks[mask] >> BigInt(lane) & 1n) === 1n;
const laneLists = new Map();
function lanesOf(mask) {
  if (!laneLists.has(mask)) {
    const list = [];
    for (let lane = 0; lane < data.size; ++lane) if (has(mask, lane)) list.push(lane);
    laneLists.set(mask, list);
  }
  return laneLists.get(mask);
}
/** "0-3,7" */
function rangesOf(mask) {
  const lanes = lanesOf(mask), parts = [];
  for (let k = 0; k < lanes.length; ++k) {
    const first = lanes[k];
    while (k + 1 < lanes.length && lanes[k + 1] === lanes[k] + 1) ++k;
    parts.push(first === lanes[k] ? `${first}` : `${first}-${lanes[k]}`);
  }
  return parts.join(',') || 'none';
}
const lanesText = (mask) => `${lanesOf(mask).length === 1 ? 'lane' : 'lanes'} ${rangesOf(mask)}`;

// ---- The steps of the shown subgroup ----

const isLine = 0, isOtherSide = 1, isMerge = 2;
let subgroup, selected = 0, timer = null;
/** A step with names for its numbers. */
function stepAt(k) {
  const [place, state, stack, note, trip, ...operations] = subgroup.steps[k];
  const [kind, file, line, diverges, outcome, why, arrivals] = data.places[place];
  const [tangles, names, starts, aside, waiting, waitingNames] = data.states[state];
  return {kind, file, line, tangles, names, starts, aside, waiting, waitingNames, stack: data.stacks[stack],
          note: data.texts[note], diverges, trip, outcome, why: data.texts[why], arrivals, operations};
}
const colourOf = (letter) => palette[(letter.charCodeAt(0) - 65) % palette.length];
const sourceLine = (file, line) => (data.files[file] && data.files[file].lines[line - 1] || '').trim();

/** Those whose place is wanted. */
function steps(wanted) {
  const found = [], places = data.places.map(wanted);
  for (let k = 0; k < subgroup.steps.length; ++k) if (places[subgroup.steps[k][0]]) found.push(k);
  return found;
}
const foundAt = new Set(data.findings.map((f) => `${f.file}:${f.line}`));
let divergences, apart, findings;
function show(number) {
  subgroup = data.subgroups[number];
  divergences = steps(([, , , diverges]) => diverges === 1);
  apart = steps(([kind, , , , outcome]) => kind === isMerge && outcome === 2);
  findings = steps(([kind, file, line]) => kind !== isMerge && foundAt.has(`${data.files[file].name}:${line}`));
  element('divergence').disabled = divergences.length === 0;
  element('apart').disabled = apart.length === 0;
  element('finding').disabled = findings.length === 0;
  element('title').textContent = subgroup.title;
  element('step').max = subgroup.steps.length - 1;
  element('height').style.height = `${subgroup.steps.length * rowHeight}px`;
  writers = null;
  drawSource();
  layOut();
  select(0);
}

// ---- Source ----

function drawSource() {
  const work = new Map();
  let most = 1;
  for (const s of subgroup.steps) {
    const [kind, file, line] = data.places[s[0]];
    if (kind !== isLine) continue;
    const key = `${file}:${line}`, times = (work.get(key) || 0) + 1;
    work.set(key, times);
    most = Math.max(most, times);
  }
  const source = element('source');
  source.replaceChildren();
  data.files.forEach((file, f) => {
    if (data.files.length > 1) source.append(made('h2', file.name));
    file.lines.forEach((text, k) => {
      const times = work.get(`${f}:${k + 1}`) || 0;
      const row = made('div', '', 'code');
      row.id = `line-${f}-${k + 1}`;
      row.title = times ? `ran ${times} times` : '';
      if (foundAt.has(`${file.name}:${k + 1}`)) row.classList.add('found');
      const heat = made('span', '', 'heat'), bar = made('span');
      bar.style.width = `${Math.round(40 * times / most)}px`;
      heat.append(bar);
      row.append(made('span', k + 1, 'number'), heat, made('span', text));
      row.addEventListener('click', () => goToLine(f, k + 1));
      source.append(row);
    });
    if (file.lines.length === 0) source.append(made('p', `${file.name} cannot be read`));
  });
}
/** The next step at a line after the selected one, else the first. */
function goToLine(file, line) {
  const all = steps((place) => place[1] === file && place[2] === line);
  if (all.length) select(all.find((k) => k > selected) ?? all[0]);
}
function made(tag, text = '', name = '') {
  const node = document.createElement(tag);
  node.textContent = text;
  if (name) node.className = name;
  return node;
}

// ---- Lanes and steps ----

const canvas = element('canvas'), rows = element('rows'), pen = canvas.getContext('2d');
let cell = 16;
function layOut() {
  const width = rows.clientWidth, height = Math.max(rows.clientHeight, rowHeight);
  cell = Math.max(2, Math.min(22, Math.floor((width - numberWidth) / data.size)));
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  element('height').style.marginTop = `${-height}px`;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const heads = element('lanes');
  heads.replaceChildren();
  heads.style.paddingLeft = `${numberWidth}px`;
  const every = cell >= 16 ? 1 : cell >= 8 ? 4 : cell >= 4 ? 8 : 16;
  for (let lane = 0; lane < data.size; lane += every) {
    const head = made('span', lane);
    head.style.cssText = `display:inline-block;width:${cell * every}px;font:10px ui-monospace,monospace`;
    heads.append(head);
  }
}
function draw() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const height = rows.clientHeight, width = rows.clientWidth;
  const first = Math.floor(rows.scrollTop / rowHeight);
  pen.fillStyle = colour('--back');
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = 'middle';
  for (let k = first; k < subgroup.steps.length; ++k) {
    const y = k * rowHeight - rows.scrollTop;
    if (y > height) break;
    drawRow(stepAt(k), k, y, colour);
  }
}
function drawRow(step, k, y, colour) {
  const middle = y + rowHeight / 2;
  if (k === selected) {
    pen.fillStyle = colour('--select');
    pen.fillRect(0, y, rows.clientWidth, rowHeight);
  }
  pen.font = '11px ui-monospace, monospace';
  pen.textAlign = 'left';
  pen.fillStyle = colour('--faint');
  pen.fillText(String(step.line).padStart(5), 4, middle);
  drawMark(step, 48, y, colour);
  step.tangles.forEach((tangle, t) => {
    const letter = step.names[t] || 'A';
    for (const lane of lanesOf(tangle)) drawCell(lane, y, letter, has(step.aside, lane) ? 'aside' : 'active', colour);
  });
  for (const lane of lanesOf(step.waiting)) drawCell(lane, y, step.waitingNames[lane] || 'A', 'waits', colour);
  pen.textAlign = 'left';
  pen.fillStyle = colour('--text');
  pen.font = '11px ui-monospace, monospace';
  pen.fillText(step.note, numberWidth + cell * data.size + 6, middle);
}
/** A fork where lanes diverge or the other side starts, a join where they rejoin, two lines where they stay apart. */
function drawMark(step, x, y, colour) {
  const top = y + 3, middle = y + rowHeight / 2, bottom = y + rowHeight - 3;
  const line = (...points) => {
    pen.moveTo(...points[0]);
    for (const point of points.slice(1)) pen.lineTo(...point);
  };
  const apart = step.kind === isMerge && step.outcome === 2;
  pen.strokeStyle = colour(apart ? '--bad' : '--text');
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (apart) line([x + 3, top], [x + 3, bottom]), line([x + 11, top], [x + 11, bottom]);
  else if (step.kind === isMerge) line([x + 1, top], [x + 7, middle], [x + 13, top]), line([x + 7, middle], [x + 7, bottom]);
  else if (step.kind === isOtherSide) line([x + 1, top], [x + 13, bottom]);
  else if (step.diverges) line([x + 7, top], [x + 7, middle]), line([x + 1, bottom], [x + 7, middle], [x + 13, bottom]);
  pen.stroke();
  pen.lineWidth = 1;
}
function drawCell(lane, y, letter, how, colour) {
  const x = numberWidth + lane * cell, size = Math.max(1, cell - 1), own = colourOf(letter);
  if (how === 'waits') {
    pen.globalAlpha = 0.22;
    pen.fillStyle = own;
    pen.fillRect(x, y + 6, size, rowHeight - 12);
    pen.globalAlpha = 1;
    return;
  }
  pen.fillStyle = own;
  if (how === 'aside' && cell < 8) {
    pen.globalAlpha = 0.5;
    pen.fillRect(x, y + 4, size, rowHeight - 8);
    pen.globalAlpha = 1;
  } else if (how === 'aside') {
    pen.strokeStyle = own;
    pen.strokeRect(x + 1, y + 2.5, Math.max(1, size - 2), rowHeight - 5);
  } else {
    pen.fillRect(x, y + 1, size, rowHeight - 2);
  }
  if (cell < 12) return;
  pen.fillStyle = how === 'aside' ? colour('--text') : '#ffffff';
  pen.font = 'bold 11px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.fillText(how === 'aside' ? letter.toLowerCase() : letter, x + size / 2, y + rowHeight / 2 + 1);
}

// ---- The selected step ----

function select(k) {
  selected = Math.max(0, Math.min(subgroup.steps.length - 1, k));
  element('step').value = selected;
  const top = selected * rowHeight, page = rows.clientHeight;
  if (top < rows.scrollTop || top + rowHeight > rows.scrollTop + page) rows.scrollTop = top - page / 2;
  const step = stepAt(selected);
  for (const row of document.querySelectorAll('.code.here')) row.classList.remove('here');
  const row = element(`line-${step.file}-${step.line}`);
  if (row) {
    row.classList.add('here');
    const source = element('source'), at = row.offsetTop - source.offsetTop;
    if (at < source.scrollTop || at + 18 > source.scrollTop + source.clientHeight)
      source.scrollTop = at - source.clientHeight / 2;
  }
  element('back').disabled = element('first').disabled = selected === 0;
  element('forward').disabled = element('last').disabled = selected === subgroup.steps.length - 1;
  describe(step);
  requestAnimationFrame(draw);
}
const and = (words) => words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
function sentence(step) {
  const tangles = step.tangles.map((t, k) => `${lanesText(t)} (${step.names[k]})`);
  const text = (() => {
    if (step.kind === isMerge) {
      const met = and(step.arrivals.map((m) => lanesText(m)));
      const end = step.outcome === 2 ? `they stay apart: ${step.why}` :
          step.outcome === 1 ? 'they rejoin, which nothing promises' : 'they rejoin, as the rule promises';
      return `${met} meet at the end of the construct of line ${step.line}; ${end}. ${and(tangles)} go on.`;
    }
    if (step.kind === isOtherSide) return `${and(tangles)} execute the other side of line ${step.line}.`;
    let all = `${and(tangles)} ${step.tangles.length > 1 ? 'execute this line one after another' : 'execute this line together'}`;
    if (step.trip) all += `, iteration ${step.trip}`;
    all += '.';
    if (lanesOf(step.aside).length) all += ` The condition is false for ${lanesText(step.aside)}.`;
    if (step.diverges) all += ' Here lanes diverge.';
    return all;
  })();
  const waits = lanesOf(step.waiting).length ? ` ${lanesText(step.waiting)} wait.` : '';
  return (text + waits).replace(/(^|\. )([a-z])/g, (all, before, letter) => before + letter.toUpperCase());
}
function describe(step) {
  const now = element('now');
  now.replaceChildren(made('h2', `Step ${selected + 1} of ${subgroup.steps.length}, line ${step.line}`));
  const text = sourceLine(step.file, step.line);
  if (text) {
    const code = made('p');
    code.append(made('code', text));
    now.append(code);
  }
  now.append(made('p', sentence(step)));
  if (step.note) now.append(made('p', `Result: ${step.note.replace(/^= /, '')}`));
  describeOperations(step);
  describeStack(step);
}
function table(label, heads, body) {
  const all = made('table'), row = made('tr');
  for (const head of heads) row.append(made('th', head));
  all.append(row);
  for (const cells of body) {
    const line = made('tr');
    for (const c of cells) {
      const one = made('td');
      if (c instanceof Node) one.append(c); else one.textContent = c;
      line.append(one);
    }
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
function describeStack(step) {
  const to = element('stack');
  to.replaceChildren(made('h2', 'Reconvergence stack'));
  if (step.stack.length === 0) return to.append(made('p', 'Empty: lanes are in no construct.'));
  to.append(table('Reconvergence stack', ['construct', 'line', 'entered', 'waiting', 'arrived', 'continue'],
                  step.stack.map(([kind, line, entered, waiting, arrived, continuing]) =>
                    [kind, line, entered.map((m) => `{${rangesOf(m)}}`).join(' '), rangesOf(waiting), rangesOf(arrived), rangesOf(continuing)])));
}

// ---- Built-ins and memory ----

/** Whom a lane's result comes from; empty if that is not known. */
function sourcesOf(name, lanes, operands) {
  const second = (lane) => operands[1] === undefined ? NaN : Number(operands[1].get(lane));
  const present = new Set(lanes), one = (lane) => present.has(lane) ? [lane] : [];
  const first = lanes[0];
  if (/BroadcastFirst/.test(name)) return () => [first];
  if (/QuadBroadcast/.test(name)) return (lane) => one((lane & ~3) + second(lane));
  if (/Broadcast/.test(name)) return (lane) => one(second(lane));
  if (/ShuffleXor/.test(name)) return (lane) => one(lane ^ second(lane));
  if (/ShuffleUp/.test(name)) return (lane) => one(lane - second(lane));
  if (/ShuffleDown/.test(name)) return (lane) => one(lane + second(lane));
  if (/Shuffle/.test(name)) return (lane) => one(second(lane));
  if (/QuadSwapHorizontal/.test(name)) return (lane) => one(lane ^ 1);
  if (/QuadSwapVertical/.test(name)) return (lane) => one(lane ^ 2);
  if (/QuadSwapDiagonal/.test(name)) return (lane) => one(lane ^ 3);
  if (/ClusteredRotate|Partition|InverseBallot|BitExtract|BitCount|Find|Elect|Barrier/.test(name)) return () => [];
  if (/Rotate/.test(name)) return (lane) => one((lane + second(lane)) % data.size);
  if (/Clustered/.test(name)) return (lane) => lanes.filter((l) => Math.floor(l / second(lane)) === Math.floor(lane / second(lane)));
  if (/Inclusive/.test(name)) return (lane) => lanes.filter((l) => l <= lane);
  if (/Exclusive/.test(name)) return (lane) => lanes.filter((l) => l < lane);
  return () => lanes;
}
const valuesOf = (number, lanes) => new Map(data.values[number].map((text, k) => [lanes[k], text]));
function svg(tag, attributes, text = '') {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}
/** Ballots as one number, as in GLSL's first examples. */
function shortened(text) {
  const words = /^\((\d+), (\d+), (\d+), (\d+)\)$/.exec(text);
  if (!words) return text;
  return '0x' + words.slice(1).reduceRight((all, word) => all << 32n | BigInt(word), 0n).toString(16);
}
/** The lines from operands, which are above, to results: [from x, from y, to x, to y]. */
function linesOf(name, lanes, operands, x) {
  const top = 38, middle = 65, bottom = 92, lines = [];
  const scan = /Inclusive|Exclusive/.test(name) && !/BitCount|Partitioned/.test(name);
  const sources = sourcesOf(name, lanes, operands);
  if (scan) {
    // Each result is the one before it and one more operand.
    lanes.forEach((lane, k) => {
      if (/Inclusive/.test(name)) lines.push([x.get(lane), top, x.get(lane), bottom]);
      else if (k > 0) lines.push([x.get(lanes[k - 1]), top, x.get(lane), bottom]);
      if (k > 0) lines.push([x.get(lanes[k - 1]), bottom, x.get(lane), bottom]);
    });
    return lines;
  }
  if (lanes.length > 1 && lanes.every((lane) => sources(lane) === lanes)) {
    const centre = (x.get(lanes[0]) + x.get(lanes[lanes.length - 1])) / 2;
    for (const lane of lanes) lines.push([x.get(lane), top, centre, middle], [centre, middle, x.get(lane), bottom]);
    return lines;
  }
  for (const lane of lanes) for (const from of sources(lane)) lines.push([x.get(from), top, x.get(lane), bottom]);
  return lines;
}
/** Operand above, result below, and links between the lanes. */
function links(name, lanes, operands, result) {
  const above = operands[0] ? lanes.map((lane) => shortened(operands[0].get(lane))) : null;
  const below = lanes.map((lane) => shortened(result.get(lane)));
  if (lanes.length > 32) return table(`Values of ${name} of lanes ${lanes[0]} to ${lanes[lanes.length - 1]}`, ['lane', ...lanes], [...(above ? [['operand', ...above]] : []), ['result', ...below]]);
  const longest = Math.max(2, ...[...(above || []), ...below].map((t) => t.length));
  const wide = Math.max(26, longest * 7 + 8), width = lanes.length * wide + 4;
  const picture = svg('svg', {viewBox: `0 0 ${width} 116`, width, height: 116, role: 'img', 'aria-label': `${name}: which lane gets which value`});
  const x = new Map(lanes.map((lane, k) => [lane, k * wide + wide / 2 + 2]));
  for (const [x1, y1, x2, y2] of linesOf(name, lanes, operands, x))
    picture.append(svg('line', {x1, y1, x2, y2, stroke: 'var(--link)', 'stroke-opacity': 0.7}));
  lanes.forEach((lane, k) => {
    const text = {'text-anchor': 'middle', x: x.get(lane), fill: 'var(--text)', 'font-size': 11, 'font-family': 'ui-monospace, monospace'};
    picture.append(svg('text', {...text, y: 12, fill: 'var(--faint)'}, lane));
    if (above) picture.append(svg('text', {...text, y: 32}, above[k]));
    picture.append(svg('text', {...text, y: 108}, below[k]));
  });
  return scrolling(picture, `${name} of lanes ${lanes.join(', ')}`);
}
function describeOperations(step) {
  const to = element('operations');
  to.replaceChildren();
  for (const number of step.operations) {
    const [kind, name, mask, operands, result, object, places] = subgroup.operations[number];
    const lanes = lanesOf(mask);
    if (kind === 'built-in') {
      to.append(made('h2', `${data.texts[name]} of ${lanesText(mask)}`));
      const given = operands.map((o) => valuesOf(o, lanes));
      if (result >= 0) to.append(links(data.texts[name], lanes, given, valuesOf(result, lanes)));
      if (given.length > 1)
        to.append(table(`Operands of ${data.texts[name]} of ${lanesText(mask)}`, ['lane', ...lanes], given.slice(1).map((o, k) => [`operand ${k + 2}`, ...lanes.map((l) => o.get(l))])));
      continue;
    }
    to.append(made('h2', `${kind} of ${data.texts[object]} by ${lanesText(mask)}`));
    const body = [['byte', ...places.map((p) => p < 0 ? 'outside' : p)]];
    operands.forEach((o, k) => body.push([kind === 'write' ? 'value' : `operand ${k + 1}`, ...data.values[o]]));
    if (result >= 0) body.push([kind === 'atomic' ? 'before' : 'value', ...data.values[result]]);
    body.push([kind === 'write' ? 'read next' : 'written in', ...lanes.map((lane, k) => jumpTo(kind, object, places[k]))]);
    to.append(table(`${kind} ${number}`, ['lane', ...lanes], body));
  }
  if (subgroup.left_out && step.operations.length === 0 && selected >= subgroup.left_out)
    to.append(made('p', `Values are kept up to step ${subgroup.left_out}, so that the page stays small.`));
}
/** By object and byte: the steps that write and those that read. */
let writers = null;
function accesses() {
  if (writers) return writers;
  writers = new Map();
  subgroup.steps.forEach((s, k) => {
    for (const number of s.slice(5)) {
      const [kind, , , , , object, places] = subgroup.operations[number];
      if (kind === 'built-in') continue;
      for (const place of new Set(places)) {
        const key = `${object}:${place}`;
        if (!writers.has(key)) writers.set(key, []);
        writers.get(key).push([k, kind]);
      }
    }
  });
  return writers;
}
function jumpTo(kind, object, place) {
  const all = accesses().get(`${object}:${place}`) || [];
  const found = kind === 'write' ? all.find(([k, how]) => k > selected && how !== 'write') :
      all.filter(([k, how]) => k < selected && how !== 'read').pop();
  if (!found) return '-';
  const button = made('button', `step ${found[0] + 1}`, 'jump');
  button.addEventListener('click', () => select(found[0]));
  return button;
}

// ---- Findings and buffers ----

function describeRun() {
  const to = element('findings');
  if (data.findings.length) to.append(made('h2', 'Findings'));
  for (const f of data.findings) {
    const text = made('p', `${f.file}:${f.line}: ${f.severity}: ${f.message} [${f.rule}]`, f.severity === 'error' ? 'error' : '');
    to.append(text);
    if (f.note) to.append(made('p', f.note));
  }
  if (data.error) to.append(made('p', data.error, 'error'));
  const buffers = element('buffers');
  for (const buffer of data.buffers) {
    buffers.append(made('h2', buffer.title));
    const all = made('table'), body = [['before', buffer.before], ['after', buffer.after]];
    const head = made('tr');
    head.append(made('th', 'element'));
    buffer.after.forEach((_, k) => head.append(made('th', k)));
    all.append(head);
    for (const [name, values] of body) {
      const row = made('tr');
      row.append(made('th', name));
      values.forEach((v, k) => row.append(made('td', v, buffer.before[k] !== buffer.after[k] ? 'changed' : '')));
      all.append(row);
    }
    buffers.append(scrolling(all, buffer.title));
    if (buffer.more) buffers.append(made('p', `and ${buffer.more} more elements`));
  }
}

// ---- Controls ----

function next(list, back) {
  const to = back ? list.filter((k) => k < selected).pop() : list.find((k) => k > selected);
  if (to !== undefined) select(to);
}
function play() {
  const button = element('play');
  if (timer) {
    clearInterval(timer);
    timer = null;
  } else {
    timer = setInterval(() => {
      if (selected === subgroup.steps.length - 1) return play();
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
  Home: () => select(0), End: () => select(subgroup.steps.length - 1), ' ': play,
  d: () => next(divergences), D: () => next(divergences, true), m: () => next(apart), M: () => next(apart, true),
  f: () => next(findings), F: () => next(findings, true),
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT|INPUT)$/.test(event.target.tagName)) return;
  if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
const onClick = {first: keys.Home, back: keys.ArrowUp, play, forward: keys.ArrowDown, last: keys.End,
                 divergence: keys.d, apart: keys.m, finding: keys.f};
for (const [id, act] of Object.entries(onClick)) element(id).addEventListener('click', act);
element('step').addEventListener('input', (event) => select(Number(event.target.value)));
element('theme').addEventListener('click', () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  requestAnimationFrame(draw);
});
canvas.addEventListener('click', (event) => select(Math.floor((event.offsetY + rows.scrollTop) / rowHeight)));
rows.addEventListener('scroll', () => requestAnimationFrame(draw));
window.addEventListener('resize', () => { layOut(); draw(); });
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const choice = element('subgroup');
data.subgroups.forEach((s, k) => choice.append(new Option(`${s.subgroup} of workgroup ${s.workgroup.join(', ')}`, k)));
choice.addEventListener('change', () => show(Number(choice.value)));
describeRun();
show(0);
