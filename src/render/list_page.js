'use strict';
// Shared by pages that show a table and the details of the selected row. They define list(), select(one), isFine(one), shown
// and selected.

const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);

function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
function row(cells, tag) {
  const made = make('tr');
  for (const [text, className] of cells) made.append(make(tag || 'td', text, className));
  return made;
}
/** A box that scrolls sideways. */
function wide(...children) {
  const made = make('div', undefined, 'wide');
  made.append(...children);
  return made;
}

/** Marks the row of the selected one. */
function markRow(one) {
  const lines = element('jobs').querySelectorAll('tbody tr');
  shown.forEach((other, k) => {
    lines[k].setAttribute('aria-selected', other === one);
    if (other === one) lines[k].scrollIntoView({block: 'nearest'});
  });
}
function move(by) {
  const at = shown.indexOf(selected) + by;
  if (at >= 0 && at < shown.length) select(shown[at]);
}
function nextOffender() {
  const from = shown.indexOf(selected);
  for (let k = 1; k <= shown.length; ++k) {
    const one = shown[(from + k) % shown.length];
    if (!isFine(one)) return select(one);
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');
function setTheme(theme) { document.documentElement.dataset.theme = theme; }
setTheme(dark.matches ? 'dark' : 'light');
element('theme').addEventListener('click', () =>
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
element('filter').addEventListener('change', list);
element('find').addEventListener('input', list);
element('offender').addEventListener('click', nextOffender);
document.addEventListener('keydown', (event) => {
  const typing = ['INPUT', 'SELECT'].includes(event.target.tagName);
  if (event.key === 'Escape' && typing) return event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else if (event.key === 'n') nextOffender();
  else if (event.key === '/') element('find').focus();
  else return;
  event.preventDefault();
});
