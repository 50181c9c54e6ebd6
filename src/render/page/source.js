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
      if (at < source.scrollTop || at + row.offsetHeight > source.scrollTop + source.clientHeight)
        source.scrollTop = at - source.clientHeight / 2;
    }
  },
};
/** What shows the source: here a list of its lines. */
let source = sourceView;

/** By "file:line" how often a line ran, once for each tangle, and with how many lanes in all. */
function workOf(run) {
  const work = new Map();
  for (const s of run.subgroup.steps) {
    const [kind, file, line] = run.data.places[s[0]];
    if (kind !== isLine) continue;
    const key = `${file}:${line}`, one = work.get(key) ?? {times: 0, lanes: 0};
    for (const tangle of run.data.states[s[1]][0]) {
      ++one.times;
      one.lanes += run.lanesOf(tangle).length;
    }
    work.set(key, one);
  }
  return work;
}
const mostTimes = (work) => Math.max(1, ...[...work.values()].map(({times}) => times));
/** The classes of words in GLSL and HLSL, and what they look like. */
const wordClasses = [
  ['note', /^\/\/.*|^\/\*[^]*?(\*\/|$)|^#.*/],
  ['figure', /^(0[xX][0-9a-fA-F]+|\d+\.?\d*([eE][-+]?\d+)?|\.\d+)[uUfFlLhH]*/],
  ['word', /^(if|else|for|while|do|switch|case|default|break|continue|return|discard|const|in|out|inout|shared|groupshared|buffer|uniform|layout|readonly|writeonly|coherent|volatile|restrict|struct|void|bool|u?int(8|16|32|64)?(_t)?|half|float(16|32|64)?(_t)?|double|[biud]?vec[234]|(u?int|bool|float|half)[234]|mat[234](x[234])?|true|false)\b/],
  ['', /^\w+|^[^\w/#.]+|^[^]/],
];
/** Adds a line to a node, with its words in colours; true if a comment goes on in the next one. */
function addWords(to, text, inComment) {
  while (text) {
    const ends = inComment ? text.indexOf('*/') : 0;
    const [name, word] = inComment ? ['note', ends < 0 ? text : text.slice(0, ends + 2)] : (() => {
      for (const [one, pattern] of wordClasses) {
        const found = pattern.exec(text);
        if (found) return [one, found[0]];
      }
      return ['', text];
    })();
    const opens = !inComment && word.startsWith('/*');
    inComment = inComment ? ends < 0 : opens && !(word.length > 3 && word.endsWith('*/'));
    to.append(name ? made('span', word, name) : word);
    text = text.slice(word.length);
  }
  return inComment;
}
function drawFiles(to, run, r) {
  const work = workOf(run), most = mostTimes(work);
  run.data.files.forEach((file, f) => {
    let inComment = false;
    if (run.data.files.length > 1) to.append(made('h2', file.name));
    file.lines.forEach((text, k) => {
      const bar = heatBar(run, work.get(`${f}:${k + 1}`), most), row = made('div', '', 'code');
      row.id = `line-${r}-${f}-${k + 1}`;
      row.title = bar.title;
      if (run.foundAt.has(`${file.name}:${k + 1}`)) row.classList.add('found');
      // What does not fit on a line goes on below it, indented further.
      const words = made('span', '', 'text'), indent = /^ */.exec(text)[0].length;
      words.style.paddingLeft = `${indent + 2}ch`;
      words.style.textIndent = `${-indent - 2}ch`;
      inComment = addWords(words, text, inComment);
      row.append(made('span', k + 1, 'number'), bar, words);
      row.addEventListener('click', () => goToLine(r, f, k + 1));
      to.append(row);
    });
    if (file.lines.length === 0) to.append(made('p', `${file.name} has no source to show`));
  });
}
/** As long as the line ran often, and dark for the share of the lanes that were at work. */
function heatBar(run, work, most) {
  const heat = made('span', '', 'heat');
  if (!work || work.times === 0) return heat;
  const {times, lanes} = work, busy = lanes / (times * run.data.size), bar = made('span'), dark = made('span', '', 'busy');
  bar.style.width = `${Math.max(1, Math.round(40 * times / most))}px`;
  dark.style.width = `${Math.round(100 * busy)}%`;
  bar.append(dark);
  heat.append(bar);
  heat.title = `ran ${times === 1 ? 'once' : `${times} times`}, ${Math.round(100 * busy)} % of its lanes at work`;
  return heat;
}
/** The next step at a line after the selected one, else the first. */
function goToLine(r, file, line) {
  const all = runs[r].steps((place) => place[1] === file && place[2] === line).map((step) => rowOf(r, step));
  if (all.length) select(all.find((row) => row > selected) ?? all[0]);
}
