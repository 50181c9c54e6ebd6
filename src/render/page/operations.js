// ---- Built-ins and memory ----

/** Whom a lane's result comes from; empty if that is not known. */
function sourcesOf(name, lanes, operands, size) {
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
  if (/Rotate/.test(name)) return (lane) => one((lane + second(lane)) % size);
  if (/Clustered/.test(name)) return (lane) => lanes.filter((l) => Math.floor(l / second(lane)) === Math.floor(lane / second(lane)));
  if (/Inclusive/.test(name)) return (lane) => lanes.filter((l) => l <= lane);
  if (/Exclusive/.test(name)) return (lane) => lanes.filter((l) => l < lane);
  return () => lanes;
}
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
function linesOf(name, lanes, operands, x, size) {
  const top = 38, middle = 65, bottom = 92, lines = [];
  const scan = /Inclusive|Exclusive/.test(name) && !/BitCount|Partitioned/.test(name);
  const sources = sourcesOf(name, lanes, operands, size);
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
function links(name, lanes, operands, result, size) {
  const above = operands[0] ? lanes.map((lane) => shortened(operands[0].get(lane))) : null;
  const below = lanes.map((lane) => shortened(result.get(lane)));
  if (lanes.length > lanesInTable) {
    const body = [...(above ? [['operand', ...above]] : []), ['result', ...below]];
    return laneTable(`Values of ${name} of ${lanes.length} lanes`, lanes, body);
  }
  const longest = Math.max(2, ...[...(above || []), ...below].map((t) => t.length));
  const wide = Math.max(26, longest * 7 + 8), width = lanes.length * wide + 4;
  const picture = svg('svg', {viewBox: `0 0 ${width} 116`, width, height: 116, role: 'img', 'aria-label': `${name}: which lane gets which value`});
  const x = new Map(lanes.map((lane, k) => [lane, k * wide + wide / 2 + 2]));
  for (const [x1, y1, x2, y2] of linesOf(name, lanes, operands, x, size))
    picture.append(svg('line', {x1, y1, x2, y2, stroke: 'var(--link)', 'stroke-opacity': 0.7}));
  lanes.forEach((lane, k) => {
    const text = {'text-anchor': 'middle', x: x.get(lane), fill: 'var(--text)', 'font-size': 11, 'font-family': 'ui-monospace, monospace'};
    picture.append(svg('text', {...text, y: 12, fill: 'var(--faint)'}, lane));
    if (above) picture.append(svg('text', {...text, y: 32}, above[k]));
    picture.append(svg('text', {...text, y: 108}, below[k]));
  });
  return scrolling(picture, `${name} of lanes ${lanes.join(', ')}`);
}
function describeOperations({run, r, number, step}) {
  const to = element('operations'), beside = r > 0 ? ' beside' : '';
  const {data, subgroup} = run, lanesText = (mask) => run.lanesText(mask);
  for (const k of step.operations) {
    const [kind, name, mask, operands, result, object, places, extent] = subgroup.operations[k];
    const lanes = run.lanesOf(mask);
    if (kind === 'built-in') {
      to.append(made('h2', `${data.texts[name]} of ${lanesText(mask)}${beside}`));
      const given = operands.map((o) => run.valuesOf(o, lanes));
      if (result >= 0) to.append(links(data.texts[name], lanes, given, run.valuesOf(result, lanes), data.size));
      if (given.length > 1)
        to.append(laneTable(`Operands of ${data.texts[name]} of ${lanesText(mask)}${beside}`, lanes,
                            given.slice(1).map((o, n) => [`operand ${n + 2}`, ...lanes.map((l) => o.get(l))])));
      continue;
    }
    to.append(made('h2', `${kind} of ${data.texts[object]} by ${lanesText(mask)}${beside}`));
    const body = [['byte', ...places.map((p) => p < 0 ? 'outside' : p)]];
    const values = (o) => [...run.valuesOf(o, lanes).values()];
    operands.forEach((o, n) => body.push([kind === 'write' ? 'value' : `operand ${n + 1}`, ...values(o)]));
    if (result >= 0) body.push([kind === 'atomic' ? 'before' : 'value', ...values(result)]);
    body.push([kind === 'write' ? 'read next' : 'written in',
               ...lanes.map((lane, n) => isShown(lane) ? jumpTo(run, r, number, kind, object, places[n], extent) : '')]);
    to.append(laneTable(`${kind} ${k}${beside}`, lanes, body));
  }
  if (subgroup.left_out && step.operations.length === 0 && number >= subgroup.left_out)
    to.append(made('p', `Values are kept up to step ${subgroup.left_out}, so that the page stays small.`));
}
/** A table whose columns are some lanes, as far as they are shown. */
function laneTable(label, lanes, body) {
  const shown = lanes.map((lane, k) => [lane, k]).filter(([lane]) => isShown(lane));
  if (shown.length === 0) return made('p', `By none of lanes ${firstLane} to ${firstLane + lanesInTable - 1}.`);
  return table(label, ['lane', ...shown.map(([lane]) => lane)], body.map(([head, ...cells]) => [head, ...shown.map(([, k]) => cells[k])]));
}
/** To the step that reads next what a lane writes, or to the one that wrote what it reads. */
function jumpTo(run, r, number, kind, object, place, extent) {
  let found = -1;
  for (let word = place >> 2; place >= 0 && word <= place + extent - 1 >> 2; ++word) {
    const all = run.accesses().get(`${object}:${word}`) || [];
    const one = kind === 'write' ? all.find(([k, how]) => k > number && how !== 'write') :
        all.filter(([k, how]) => k < number && how !== 'read').pop();
    if (!one) continue;
    found = found < 0 ? one[0] : kind === 'write' ? Math.min(found, one[0]) : Math.max(found, one[0]);
  }
  if (found < 0) return '-';
  const button = made('button', `step ${found + 1}`, 'jump');
  button.addEventListener('click', () => select(rowOf(r, found)));
  return button;
}
