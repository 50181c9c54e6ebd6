// ---- The live page: runs of what its editor and its form hold ----

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
  const hasLines = answer.run.places.some(([, , line]) => line > 0) || answer.run.places.length === 0;
  const without = hasLines ? '' : '; the compiler gave no line numbers, so steps are not marked in the source';
  say(`updated in ${Math.round(performance.now() - start)} ms${without}`, answer.run.error || note);
  element('timeline').classList.remove('stale');
}

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
    if (!isExperiment && location.hash.length > 1) note = 'the link is damaged; this is the first example instead';
    showExperiment(isExperiment ? linked : choices.examples[0].experiment);
    run(note);
  };
  window.addEventListener('hashchange', start);
  start();
})();
