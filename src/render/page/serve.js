// ---- The page of `lockstep serve`: an editor, a form, and runs of what they hold ----

/** The shader's text: CodeMirror where the server has it, else a text area above the list of lines. */
const editor = (() => {
  const section = element('source');
  const name = 'Shader';
  if (typeof CodeMirror === 'undefined') {
    const area = made('textarea'), list = made('div');
    area.id = 'text';
    area.spellcheck = false;
    area.setAttribute('aria-label', name);
    list.id = 'list';
    section.append(area, list);
    area.addEventListener('input', () => changed());
    return {
      get: () => area.value, set: (text) => { area.value = text; }, showProblem: () => {},
      onCursor(act) {
        for (const event of ['keyup', 'click'])
          area.addEventListener(event, () => act(area.value, area.selectionStart));
      },
    };
  }
  section.classList.add('editing');
  const code = CodeMirror(section, {
    mode: 'x-shader/x-fragment', lineNumbers: true, lineWrapping: true, gutters: ['CodeMirror-linenumbers', 'work'], screenReaderLabel: name,
    extraKeys: {Tab: false, 'Shift-Tab': false}, tabSize: 2, spellcheck: false,
    inputStyle: 'contenteditable',  // for screen readers
  });
  code.on('change', (_, change) => { if (change.origin !== 'setValue') changed(); });
  code.on('gutterClick', (_, line) => { if (runs.length) goToLine(0, 0, line + 1); });
  let here = [];
  let problem = null;
  source = {
    draw() {
      code.clearGutter('work');
      const run = runs[0], work = workOf(run), most = mostTimes(work);
      for (let line = 0; line < code.lineCount(); ++line) {
        code.setGutterMarker(line, 'work', heatBar(run, work.get(`0:${line + 1}`), most));
        const found = run.data.files.some((file) => run.foundAt.has(`${file.name}:${line + 1}`));
        code[found ? 'addLineClass' : 'removeLineClass'](line, 'gutter', 'found');
      }
    },
    highlight(marks) {
      for (const line of here) code.removeLineClass(line, 'background', 'here');
      here = marks.map(({line}) => code.getLineHandle(line - 1)).filter((line) => line);
      for (const line of here) code.addLineClass(line, 'background', 'here');
      if (here.length && !code.hasFocus()) code.scrollIntoView({line: code.getLineNumber(here[0]), ch: 0}, 40);
    },
  };
  window.addEventListener('resize', () => code.refresh());
  return {
    get: () => code.getValue(), set: (text) => code.setValue(text),
    /** Tells where in which text the cursor is put. */
    onCursor(act) {
      code.on('cursorActivity', () => { if (code.hasFocus()) act(code.getLine(code.getCursor().line), code.getCursor().ch); });
    },
    showProblem(line) {
      if (problem) code.removeLineClass(problem, 'background', 'problem');
      problem = line ? code.getLineHandle(line - 1) : null;
      if (!problem) return;
      code.addLineClass(problem, 'background', 'problem');
      code.scrollIntoView({line: line - 1, ch: 0}, 40);
    },
  };
})();

// ---- The experiment: the form as an object, in the page's link ----

/** What few runs have other than by default. */
const rarelyOther = ['mapping', 'partial', 'order'];
const machineOf = (prefix) => ({
  size: Number(element(`${prefix}size`).value), rule: element(`${prefix}rule`).value,
  choose: element(`${prefix}choose`).value, device: element(`${prefix}device`).value,
  ...Object.fromEntries(rarelyOther.map((name) => [name, element(prefix + name).value])),
});
const linesIn = (id) => element(id).value.split('\n').map((line) => line.trim()).filter((line) => line);
function experiment() {
  return {source: editor.get(), language: element('language').value, ...machineOf(''), groups: element('groups').value.trim(), subgroup: element('watch').value.trim(),
          buffers: linesIn('contents'), images: linesIn('images'), push: element('push').value.trim(), check: element('check').checked,
          constants: element('constants').value.split(/\s+/).filter((word) => word),
          beside: element('beside').checked ? machineOf('beside_') : null};
}
/** Texts and numbers of a link, which may hold anything. */
const worded = (value, otherwise) => (typeof value === 'string' || typeof value === 'number') && value !== '' && value !== 0 ? String(value) : otherwise;
const wordedLines = (list) => (Array.isArray(list) ? list : []).map((line) => worded(line, '')).join('\n');
/** Chooses from a list; what it lacks, as a link may have it, is added. */
function setChoice(id, text) {
  const list = element(id);
  if (![...list.options].some((option) => option.value === text)) list.append(new Option(text));
  list.value = text;
}
function showMachine(prefix, machine) {
  // Under the rule maximal nothing is left open; under others the choice that differs most is the one to look at.
  for (const [name, otherwise] of [['size', machine.device ? '' : 8], ['rule', 'maximal'], ['choose', 'rejoin-none'], ['device', '']])
    if (name === 'size') element(prefix + name).value = worded(machine[name], otherwise);
    else setChoice(prefix + name, worded(machine[name], otherwise));
  for (const name of rarelyOther) {
    setChoice(prefix + name, worded(machine[name], ''));
    // Beside, the list is there where it says something.
    if (prefix) element(prefix + name).parentNode.hidden = !machine[name];
  }
}
const showSecond = () => { element('second').hidden = !element('beside').checked; };
function showExperiment(e) {
  languageNow = worded(e.language, 'glsl');
  setChoice('language', languageNow);
  editor.set(worded(e.source, ''));
  showMachine('', e);
  element('groups').value = worded(e.groups, '1');
  setChoice('watch', worded(e.subgroup, '0'));
  element('contents').value = wordedLines(e.buffers);
  element('images').value = wordedLines(e.images);
  element('push').value = worded(e.push, '');
  element('constants').value = wordedLines(e.constants).replace(/\n/g, ' ');
  element('check').checked = Boolean(e.check);
  element('beside').checked = Boolean(e.beside);
  showSecond();
  showMachine('beside_', e.beside ? {size: e.size, ...e.beside} : {size: e.size, rule: 'core', choose: 'rejoin-none'});
}
/** A text for a link: compressed, in letters that links have. Nothing of it is sent to the server. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) binary += String.fromCharCode(byte);
  return 'z.' + btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
/** The most that a link may hold, since a short one may stand for much. */
const mostLetters = 1 << 19;
async function unpacked(link) {
  const compressed = link.startsWith('z.');
  const binary = atob(link.slice(compressed ? 2 : 0).replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  if (!compressed) return new TextDecoder().decode(bytes);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, {stream: true});
    if (text.length <= mostLetters) continue;
    await reader.cancel();
    throw new Error('the link holds too much');
  }
  return text;
}
/** Of the shader, in messages. */
const fileName = () => element('language').value === 'hlsl' ? 'shader.hlsl' : 'shader.comp';
/** The command line that shows the experiment in a terminal. */
function commandLine() {
  const e = experiment(), words = ['lockstep', 'trace', fileName(), '--groups', e.groups || '1'];
  const quoted = (word) => /^[\w.,:=+*@/-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
  const machine = (m) => [...(m.size ? ['--subgroup-size', String(m.size)] : []), ...(m.device ? ['--device', m.device] : []),
                          '--convergence', m.rule, '--choose', m.choose, ...(m.mapping ? ['--mapping', m.mapping] : []),
                          ...(m.partial ? ['--partial-subgroups', m.partial] : []), ...(m.order ? ['--workgroup-order', m.order] : [])];
  words.push(...machine(e));
  if (e.subgroup !== '0') words.push('--subgroup', e.subgroup);
  for (const buffer of filled.inputs) words.push('--buffer', buffer);
  for (const image of filled.images) words.push(/=.*:/.test(image) ? '--image' : '--sampler', image);
  for (const constant of e.constants) words.push('--spec', constant);
  if (e.push) words.push('--push', e.push);
  if (e.check) words.push('--check');
  if (e.beside) words.push('--beside', machine(e.beside).join(' '));
  return words.map(quoted).join(' ');
}
/** The inputs of the last run, with those that the page left out. */
let filled = {inputs: [], images: []};

// ---- Runs ----

let waiting = null, asked = 0, running = null;
function changed() {
  clearTimeout(waiting);
  endExploring();
  waiting = setTimeout(run, 80);
}
function say(message, problem = '', line = 0) {
  element('status').textContent = message;
  element('problem').textContent = problem;
  element('timeline').classList.toggle('stale', problem !== '');
  editor.showProblem(line);
}
/** Runs what the form holds. `note` is shown with it. */
async function run(note = '') {
  const number = ++asked, start = performance.now(), now = experiment();
  const link = await packed(JSON.stringify(now));
  if (number !== asked) return;
  history.replaceState(null, '', '#' + link);
  // The server ends a run whose page asks for another one.
  running?.abort();
  running = new AbortController();
  const answer = await ask({ask: 'trace', ...now}, running.signal);
  if (number !== asked) return;  // a later one is on its way
  if (answer.error) {
    updateInputs();
    return say('', answer.error.message, answer.error.line);
  }
  load(answer.run, selected);
  filled = answer;
  updateInputs();
  element('contents').placeholder = answer.inputs.join('\n');
  element('images').placeholder = answer.images.join('\n');
  say(`updated in ${Math.round(performance.now() - start)} ms`, answer.run.error || note);
  element('timeline').classList.remove('stale');
}

// ---- What the result depends on ----

let exploring = null;
function endExploring() {
  exploring?.abort();
  exploring = null;
  element('verdict').replaceChildren();
}
/** Explores the experiment under the rule that the shader declares, as `lockstep explore` does. */
async function explore() {
  endExploring();
  const {source, language, size, device, groups, buffers, images, push, constants} = experiment();
  const mine = exploring = new AbortController();
  element('verdict').append(made('p', 'exploring...'));
  const answer = await ask({ask: 'explore', source, language, size, device, groups, buffers, images, push, constants}, mine.signal);
  if (exploring !== mine) return;  // something has changed since
  element('verdict').replaceChildren(...(answer.error ? [made('p', answer.error.message, 'error')] : verdictOf(answer)));
  redraw();
}
function verdictOf(answer) {
  const close = made('button', 'Close');
  close.addEventListener('click', () => { endExploring(); redraw(); });
  const {runs, first} = answer, how = `${runs} runs, from ${first.size} lanes, ${first.rule}`;
  if (answer.verdict === 'independent') {
    const same = answer.ended ? `every run ended with: ${answer.ended}` : 'every run gave the same';
    return [made('p', `Independent: ${same} (${how}).`), close];
  }
  const places = answer.where.map(({dimension, line}) => `${dimension} in line ${line}`).join(', ') || answer.on.join(', ');
  const {buffer, place, now, first: before, error} = answer.difference;
  const other = error ? `one of the runs ended with: ${error}` : now === undefined ? `${buffer}, ${place} differs` : `${buffer}, ${place} is ${now}, in the first run ${before}`;
  const show = made('button', 'Show me');
  show.addEventListener('click', () => showExplored(answer));
  return [made('p', `Depends on ${places}: ${other} (${how}).`), made('p', `Advice: ${answer.advice}.`), show, close];
}
/** The smallest choice that changes the result, beside the first run. */
async function showExplored(answer) {
  showMachine('', answer.smallest);
  element('beside').checked = true;
  showSecond();
  showMachine('beside_', answer.first);
  element('watch').value = 'all';
  element('subgroup').replaceChildren();  // then a subgroup that differs is chosen
  selected = 0;
  await run();
  if (jumps.differences.length) next([-1, ...jumps.differences]);
}
/** What each language's editor held last; a shader to begin with. */
const lastOf = {hlsl: {language: 'hlsl', size: 8, source: `RWStructuredBuffer<uint> data : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint value = id.x;
  if (value % 2 == 0) {
    value = WaveActiveSum(value);
  }
  data[id.x] = value;
}
`}};
let languageNow = '';
element('language').addEventListener('input', () => {
  const language = element('language').value;
  lastOf[languageNow] = {...experiment(), language: languageNow};
  if (lastOf[language]) showExperiment(lastOf[language]);
  languageNow = language;
});

element('explore').addEventListener('click', explore);

for (const control of document.querySelectorAll('#experiment input, #experiment select, #experiment textarea'))
  if (control.id !== 'example') control.addEventListener('input', changed);
// A device has a size of its own.
for (const prefix of ['', 'beside_'])
  element(`${prefix}device`).addEventListener('input', () => { if (element(`${prefix}device`).value) element(`${prefix}size`).value = ''; });
element('beside').addEventListener('input', showSecond);
/** Shows the controls of the experiment or hides them, which the browser remembers where it may. */
function fold(hides) {
  element('experiment').hidden = hides;
  element('fold').setAttribute('aria-expanded', String(!hides));
  element('fold').textContent = hides ? 'Show controls' : 'Hide controls';
  try {
    localStorage.setItem('lockstep controls', hides ? 'hidden' : 'shown');
  } catch {
    // They are shown the next time.
  }
  redraw();
}
element('fold').addEventListener('click', () => fold(!element('experiment').hidden));
try {
  if (localStorage.getItem('lockstep controls') === 'hidden') fold(true);
} catch {
  // Nothing is remembered.
}
async function copy(text, done, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    element('status').textContent = done;
  } catch {
    element('status').textContent = otherwise;
  }
}
element('link').addEventListener('click', () => copy(location.href, 'link copied', 'the address of this page is the link'));
element('save').addEventListener('click', async () => {
  const answer = await ask({ask: 'page', ...experiment()});
  if (answer.error) return say('', answer.error.message, answer.error.line);
  download(new Blob([answer.html], {type: 'text/html'}), 'lanes.html');
});
element('command').addEventListener('click', () => {
  const command = commandLine();
  copy(command, `command copied; save the shader as ${fileName()}`, command);
});
(async () => {
  const choices = await ask({ask: 'choices'});
  if (choices.error) return say('', choices.error.message);
  for (const prefix of ['', 'beside_']) {
    for (const chooser of ['rejoin-none', 'rejoin-all', 'random:1', 'random:2', 'random:3'])
      element(`${prefix}choose`).append(new Option(chooser));
    for (const rule of choices.rules) element(`${prefix}rule`).append(new Option(rule));
    for (const device of choices.devices) element(`${prefix}device`).append(new Option(device));
  }
  for (const language of choices.languages) element('language').append(new Option(language.toUpperCase(), language));
  choices.examples.forEach((example, k) => element('example').append(new Option(example.name, k)));
  element('example').addEventListener('change', () => {
    const chosen = choices.examples[element('example').value];
    if (chosen) showExperiment(chosen.experiment), selected = 0, run();
  });
  const start = async () => {
    let linked = null, note = '';
    try {
      if (location.hash.length > 1) linked = JSON.parse(await unpacked(location.hash.slice(1)));
    } catch {
      // It is damaged.
    }
    const isExperiment = linked !== null && typeof linked === 'object' && !Array.isArray(linked);
    if (!isExperiment && location.hash.length > 1) note = 'the link is damaged: this is the first example';
    showExperiment(isExperiment ? linked : choices.examples[0].experiment);
    run(note);
  };
  window.addEventListener('hashchange', start);
  start();
})();
