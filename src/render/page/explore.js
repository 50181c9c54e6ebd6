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
    const same = answer.ended ? `every run ended with: ${answer.ended}` : 'every run gave the same result';
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
element('explore').addEventListener('click', explore);
