// ---- The page of `lockstep serve`: an editor, a form, and runs of what they hold ----

/** The shader's text: CodeMirror where the server has it, else a text area above the list of lines. */
const editor = (() => {
  const section = element('source');
  const name = 'Shader, GLSL';
  if (typeof CodeMirror === 'undefined') {
    const area = made('textarea'), list = made('div');
    area.id = 'text';
    area.spellcheck = false;
    area.setAttribute('aria-label', name);
    list.id = 'list';
    section.append(area, list);
    area.addEventListener('input', () => changed());
    return {get: () => area.value, set: (text) => { area.value = text; }, showProblem: () => {}};
  }
  section.classList.add('editing');
  const code = CodeMirror(section, {
    mode: 'x-shader/x-fragment', lineNumbers: true, gutters: ['CodeMirror-linenumbers', 'work'], screenReaderLabel: name,
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

const machineOf = (prefix) => ({
  size: Number(element(`${prefix}size`).value), rule: element(`${prefix}rule`).value,
  choose: element(`${prefix}choose`).value, device: element(`${prefix}device`).value,
});
function experiment() {
  const linesOf = (id) => element(id).value.split('\n').map((line) => line.trim()).filter((line) => line);
  return {source: editor.get(), ...machineOf(''), groups: element('groups').value.trim(), subgroup: element('watch').value.trim(),
          buffers: linesOf('contents'), images: linesOf('images'), push: element('push').value.trim(), check: element('check').checked,
          beside: element('beside').checked ? machineOf('beside_') : null};
}
function showMachine(prefix, machine) {
  // Under the rule maximal nothing is left open; under others the choice that differs most is the one to look at.
  for (const [name, otherwise] of [['size', machine.device ? '' : 8], ['rule', 'maximal'], ['choose', 'rejoin-none'], ['device', '']])
    element(prefix + name).value = machine[name] || otherwise;
}
function showExperiment(e) {
  editor.set(String(e.source ?? ''));
  showMachine('', e);
  element('groups').value = e.groups ?? '1';
  element('watch').value = e.subgroup ?? '0';
  element('contents').value = (Array.isArray(e.buffers) ? e.buffers : []).join('\n');
  element('images').value = (Array.isArray(e.images) ? e.images : []).join('\n');
  element('push').value = e.push ?? '';
  element('check').checked = Boolean(e.check);
  element('beside').checked = Boolean(e.beside);
  showMachine('beside_', e.beside ? {size: e.size, ...e.beside} : {size: e.size, rule: 'core', choose: 'rejoin-none'});
}
/** Base64 for links, of the text as UTF-8. */
function packed(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
function unpacked(link) {
  const binary = atob(link.replace(/-/g, '+').replace(/_/g, '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}

// ---- Runs ----

let waiting = null, asked = 0, running = null;
function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(run, 80);
}
function say(message, problem = '', line = 0) {
  element('status').textContent = message;
  element('problem').textContent = problem;
  element('timeline').classList.toggle('stale', problem !== '');
  editor.showProblem(line);
}
async function run() {
  const number = ++asked, start = performance.now(), now = experiment();
  history.replaceState(null, '', '#' + packed(JSON.stringify(now)));
  // The server ends a run whose page asks for another one.
  running?.abort();
  running = new AbortController();
  const answer = await ask({ask: 'trace', ...now}, running.signal);
  if (number !== asked) return;  // a later one is on its way
  if (answer.error) return say('', answer.error.message, answer.error.line);
  load(answer.run, selected);
  element('contents').placeholder = answer.inputs.join('\n');
  element('images').placeholder = answer.images.join('\n');
  say(`updated in ${Math.round(performance.now() - start)} ms`, answer.run.error || '');
  element('timeline').classList.remove('stale');
}
for (const control of document.querySelectorAll('#experiment input, #experiment select, #experiment textarea'))
  if (control.id !== 'example') control.addEventListener('input', changed);
// A device has a size of its own.
for (const prefix of ['', 'beside_'])
  element(`${prefix}device`).addEventListener('input', () => { if (element(`${prefix}device`).value) element(`${prefix}size`).value = ''; });
element('link').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    element('status').textContent = 'link copied';
  } catch {
    element('status').textContent = 'the address of this page is the link';
  }
});
(async () => {
  const choices = await ask({ask: 'choices'});
  if (choices.error) return say('', choices.error.message);
  for (const prefix of ['', 'beside_']) {
    for (const rule of choices.rules) element(`${prefix}rule`).append(new Option(rule));
    for (const device of choices.devices) element(`${prefix}device`).append(new Option(device));
  }
  choices.examples.forEach((example, k) => element('example').append(new Option(example.name, k)));
  element('example').addEventListener('change', () => {
    const chosen = choices.examples[element('example').value];
    if (chosen) showExperiment(chosen.experiment), selected = 0, run();
  });
  const start = () => {
    let linked = null;
    try {
      linked = location.hash.length > 1 ? JSON.parse(unpacked(location.hash.slice(1))) : null;
    } catch {
      element('problem').textContent = 'the link is damaged: this is the first example';
    }
    showExperiment(linked && typeof linked === 'object' ? linked : choices.examples[0].experiment);
    run();
  };
  window.addEventListener('hashchange', start);
  start();
})();
