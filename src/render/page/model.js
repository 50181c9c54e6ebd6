'use strict';
// What was recorded. Everything repeated is in tables of a run's data; steps refer to it by number.

const element = (id) => document.getElementById(id);
function made(tag, text = '', name = '') {
  const node = document.createElement(tag);
  node.textContent = text;
  if (name) node.className = name;
  return node;
}

const isLine = 0, isOtherSide = 1, isMerge = 2;

/** A run with the subgroup of it that is shown. */
class Run {
  constructor(data) {
    this.data = data;
    this.masks = data.masks.map((hex) => BigInt('0x' + hex));
    this.laneLists = new Map();
    this.foundAt = new Set(data.findings.map((f) => `${f.file}:${f.line}`));
    this.show(0);
  }

  show(number) {
    this.subgroup = this.data.subgroups[number];
    this.accessesByPlace = null;
    this.history = null;
    const at = this.foundAt, files = this.data.files;
    this.divergences = this.steps(([, , , diverges]) => diverges === 1);
    this.apart = this.steps(([kind, , , , outcome]) => kind === isMerge && outcome === 2);
    this.findings = this.steps(([kind, file, line]) => kind !== isMerge && at.has(`${files[file].name}:${line}`));
  }

  get count() { return this.subgroup.steps.length; }

  // Sets of lanes

  has(mask, lane) { return (this.masks[mask] >> BigInt(lane) & 1n) === 1n; }
  lanesOf(mask) {
    if (!this.laneLists.has(mask)) {
      const list = [];
      for (let lane = 0; lane < this.data.size; ++lane) if (this.has(mask, lane)) list.push(lane);
      this.laneLists.set(mask, list);
    }
    return this.laneLists.get(mask);
  }
  /** "0-3,7", shortened if there are many */
  rangesOf(mask) {
    const lanes = this.lanesOf(mask), parts = [];
    for (let k = 0; k < lanes.length; ++k) {
      const first = lanes[k];
      while (k + 1 < lanes.length && lanes[k + 1] === lanes[k] + 1) ++k;
      parts.push(first === lanes[k] ? `${first}` : `${first}-${lanes[k]}`);
    }
    if (parts.length > 12) return `${parts.slice(0, 4).join(',')},...,${parts[parts.length - 1]} (${lanes.length} lanes)`;
    return parts.join(',') || 'none';
  }
  lanesText(mask) { return `${this.lanesOf(mask).length === 1 ? 'lane' : 'lanes'} ${this.rangesOf(mask)}`; }

  // Steps

  /** A step with names for its numbers. */
  stepAt(k) {
    const data = this.data;
    const [place, state, stack, note, trip, ...operations] = this.subgroup.steps[k];
    const [kind, file, line, diverges, outcome, why, arrivals] = data.places[place];
    const [tangles, names, starts, aside, waiting, waitingNames] = data.states[state];
    return {kind, file, line, tangles, names, starts, aside, waiting, waitingNames, stack: data.stacks[stack],
            note: data.texts[note], diverges, trip, outcome, why: data.texts[why], arrivals, operations};
  }
  sourceLine(file, line) { return (this.data.files[file] && this.data.files[file].lines[line - 1] || '').trim(); }
  /** Those whose place is wanted. */
  steps(wanted) {
    const found = [], places = this.data.places.map(wanted), all = this.subgroup.steps;
    for (let k = 0; k < all.length; ++k) if (places[all[k][0]]) found.push(k);
    return found;
  }

  // Values

  /** Lane by lane; a list of one stands for all. */
  valuesOf(number, lanes) {
    const list = this.data.values[number];
    return new Map(lanes.map((lane, k) => [lane, list.length === 1 ? list[0] : list[k]]));
  }

  /** By object and word of memory: the steps that access it, and how. */
  accesses() {
    if (this.accessesByPlace) return this.accessesByPlace;
    const all = this.accessesByPlace = new Map();
    this.subgroup.steps.forEach((s, k) => {
      for (const number of s.slice(5)) {
        const [kind, , , , , object, places, extent] = this.subgroup.operations[number];
        if (kind === 'built-in') continue;
        const words = new Set();
        for (const place of places)
          for (let at = place; place >= 0 && at < place + extent; at += 4) words.add(at >> 2);
        for (const word of words) {
          const key = `${object}:${word}`;
          if (!all.has(key)) all.set(key, []);
          all.get(key).push([k, kind]);
        }
      }
    });
    return all;
  }

  /** Of each variable its writes in order, with every 64th the last write of each lane until then. */
  variables() {
    if (this.history) return this.history;
    this.history = this.subgroup.variables.map((name) => ({name, writes: [], before: []}));
    const last = this.history.map(() => new Int32Array(this.data.size).fill(-1));
    for (const [step, variable, mask, values] of this.subgroup.writes) {
      const all = this.history[variable], number = all.writes.length;
      if (number % 64 === 0) all.before.push(last[variable].slice());
      all.writes.push([step, mask, values]);
      for (const lane of this.lanesOf(mask)) last[variable][lane] = number;
    }
    return this.history;
  }
  /** What each lane has in a variable after a step: [value, the step that wrote it], or nothing. */
  valuesAfter(variable, step) {
    const {writes, before} = variable;
    let low = 0, high = writes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (writes[middle][0] <= step) low = middle + 1; else high = middle;
    }
    const found = new Array(this.data.size).fill(null);
    if (low === 0) return found;
    const checkpoint = low - 1 >> 6, last = Array.from(before[checkpoint]);
    for (let k = checkpoint * 64; k < low; ++k) for (const lane of this.lanesOf(writes[k][1])) last[lane] = k;
    last.forEach((number, lane) => {
      if (number < 0) return;
      const [at, mask, values] = writes[number], list = this.data.values[values];
      found[lane] = [list.length === 1 ? list[0] : list[this.lanesOf(mask).indexOf(lane)], at];
    });
    return found;
  }
}

// ---- The runs, and the rows that show their steps ----

/** One run, or two side by side. */
let runs = [];
/** What compares them: rows of [step, step beside], the rows that differ, the first different value; null of one run. */
let comparison = null;
let rowCount = 0, selected = 0;

/** The steps of a row: one for each run, -1 if it has none there. */
function stepsOf(row) {
  return comparison ? comparison.rows[row] : [row];
}
/** The first row that shows this step of a run. */
function rowOf(run, step) {
  if (!comparison) return step;
  if (!comparison.rowOf) {
    comparison.rowOf = runs.map((r) => new Int32Array(r.count));
    comparison.rows.forEach((pair, row) => pair.forEach((s, r) => { if (s >= 0) comparison.rowOf[r][s] = row; }));
  }
  return comparison.rowOf[run][step];
}
/** Runs of rows, which the page's data counts: [step, step beside, how many]. */
function allRows(packed) {
  const rows = [];
  for (const [first, second, count] of packed)
    for (let k = 0; k < count; ++k) rows.push([first < 0 ? -1 : first + k, second < 0 ? -1 : second + k]);
  return rows;
}
