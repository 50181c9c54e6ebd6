// ---- How the page is shown: the width of the source, presentations, pictures ----

/** The share of the window's width that the source has, from 0.15 to 0.6; 0 leaves it to the style. */
let sourceShare = 0;
function setSourceShare(share) {
  sourceShare = Math.min(0.6, Math.max(0.15, share));
  document.querySelector('main').style.setProperty('--source', `${(100 * sourceShare).toFixed(1)}%`);
  element('divider').setAttribute('aria-valuenow', String(Math.round(100 * sourceShare)));
  redraw();
}
function redraw() {
  window.dispatchEvent(new Event('resize'));
}
const divider = element('divider');
divider.addEventListener('pointerdown', (event) => {
  divider.setPointerCapture(event.pointerId);
  event.preventDefault();
});
divider.addEventListener('pointermove', (event) => {
  if (divider.hasPointerCapture(event.pointerId)) setSourceShare(event.clientX / window.innerWidth);
});
divider.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  const now = sourceShare || element('source').getBoundingClientRect().width / window.innerWidth;
  setSourceShare(now + (event.key === 'ArrowRight' ? 0.02 : -0.02));
});

/** Large type and the whole screen for source, lanes and values, without the form. */
function present() {
  const on = document.documentElement.classList.toggle('presenting');
  element('present').setAttribute('aria-pressed', String(on));
  zoom = on ? 1.5 : 1;
  // A browser may refuse the whole screen: the large type is there anyway.
  if (on) document.documentElement.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  redraw();
  if (runs.length) select(selected);
}
element('present').addEventListener('click', () => {
  present();
  element('present').blur();  // Space plays
});
keys.p = present;
keys.Escape = () => { if (document.documentElement.classList.contains('presenting')) present(); };
document.addEventListener('fullscreenchange', () => {
  if (!document.fullscreenElement && document.documentElement.classList.contains('presenting')) present();
});

/** Hides what the shown subgroups do not have. */
function fitLegend() {
  const seen = new Set();
  for (const run of runs) {
    const {places, states} = run.data;
    for (const s of run.subgroup.steps) {
      const [kind, , , diverges, outcome] = places[s[0]], [tangles, names, , aside, waiting] = states[s[1]];
      if (tangles.length) seen.add('together');
      if (tangles.length > 1 || [...names].some((name) => name !== 'A')) seen.add('others');
      if (run.masks[aside]) seen.add('false');
      if (run.masks[waiting]) seen.add('waits');
      if (kind === isMerge) seen.add(['rejoin', 'choice', 'apart'][outcome]);
      else if (kind === isOtherSide) seen.add('side');
      else if (diverges) seen.add('diverge');
    }
  }
  for (const entry of document.querySelectorAll('#legend [data-of]')) entry.hidden = !seen.has(entry.dataset.of);
}
