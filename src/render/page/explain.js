// ---- The built-in under the cursor, explained beside the shader ----

const explained = made('div');
explained.id = 'explained';
explained.setAttribute('role', 'region');
explained.setAttribute('aria-label', 'The built-in under the cursor');
element('details').prepend(explained);
const explanations = new Map();
let wordNow = '', wordWaits = null;

/** The name around a place in a line. */
function wordAt(line, at) {
  const before = /\w*$/.exec(line.slice(0, at))[0], after = /^\w*/.exec(line.slice(at))[0];
  return before + after;
}
/** A lane's value; ballots are numbers, undefined ones a question mark. */
function exampleValue(value) {
  if (value === null || value === undefined) return '?';
  return Array.isArray(value) ? '0x' + value.reduce((bits, lane) => bits | 1n << BigInt(lane), 0n).toString(16) : String(value);
}
/** What the built-in gave eight lanes, two of which are not active. */
function exampleOf({name, run}) {
  const byLane = (list) => new Map(run.active.map((lane) => [lane, exampleValue(list[lane])]));
  const ranges = run.active.join(', ');
  return [made('p', `For lanes ${ranges}${Object.keys(run.arguments).length ? ', arguments above and results below' : ''}:`),
          links(name, run.active, Object.values(run.arguments).map(byLane), byLane(run.result), run.subgroup_size)];
}
function explanationNodes(answer) {
  if (answer.error) return [made('p', answer.error.message)];
  const signature = made('p');
  signature.append(made('code', answer.signature));
  const undefinedWhere = answer.undefined && !answer.undefined.startsWith('Nowhere') ? [made('p', `Undefined: ${answer.undefined}`)] : [];
  const mistakes = answer.mistakes.map(({what}) => made('p', `Common mistake: ${what}`));
  const close = actionNamed('Close', () => explained.replaceChildren());
  return [made('h2', answer.name), signature, made('p', answer.meaning), ...undefinedWhere, ...(answer.run ? exampleOf(answer) : []), ...mistakes, close];
}
async function explainWord(word) {
  if (word === wordNow) return;
  wordNow = word;
  if (!/^(gl_S|gl_NumS|subgroup|Wave|Quad)\w+$|ARB$|^a(ny|ll)Invocation/.test(word)) return explained.replaceChildren();
  if (!explanations.has(word)) explanations.set(word, await ask({ask: 'explain', name: word}));
  if (wordNow !== word) return;
  const answer = explanations.get(word), isKnown = !answer.error || /one of:/.test(answer.error.message);
  explained.replaceChildren(...(isKnown ? explanationNodes(answer) : []));
  if (answer.error) explanations.delete(word);
}
editor.onCursor((line, at) => {
  clearTimeout(wordWaits);
  wordWaits = setTimeout(() => explainWord(wordAt(line, at)), 150);
});
