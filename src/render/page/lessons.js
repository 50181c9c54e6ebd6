// ---- Lessons: their text beside the shader, and exercises that are checked ----

const chapter = made('div');
chapter.id = 'chapter';
element('details').prepend(chapter);
let lesson = null, checking = null;

/** The numbers of the exercises that were solved, which the browser remembers where it may. */
function solved() {
  try {
    const list = JSON.parse(localStorage.getItem('lockstep lessons'));
    return new Set(Array.isArray(list) ? list : []);
  } catch {
    return new Set();
  }
}
function markSolved(number) {
  try {
    localStorage.setItem('lockstep lessons', JSON.stringify([...solved().add(number)]));
  } catch {
    // It is not remembered.
  }
  nameLessons();
}
function nameLessons() {
  const done = solved();
  for (const option of element('lesson').options)
    if (option.value) option.textContent = `${option.value}. ${option.dataset.title}${done.has(Number(option.value)) ? ' ✓' : ''}`;
}
/** Shows a shader in the editor, on the page's own inputs. */
function tryOut(source, size) {
  showExperiment({source, size});
  selected = 0;
  run();
}
/** A paragraph with its `code` and *emphasis*; links are their words. */
function paragraph(text) {
  const node = made('p');
  for (const [, code, stressed, plain] of text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').matchAll(/`([^`]*)`|\*([^*]+)\*|([^`*]+|[`*])/g))
    node.append(code !== undefined ? made('code', code) : stressed !== undefined ? made('em', stressed) : plain);
  return node;
}
/** The chapter, in the little of Markdown that lessons use. Blocks of GLSL have a button that shows them in the editor. */
function chapterNodes(text) {
  const nodes = [];
  for (const [, language, code, words] of text.matchAll(/```(\w*)\n([^]*?)```|((?:(?!```)[^])+)/g)) {
    if (code !== undefined) {
      // The page does what the commands for an exercise do.
      if (language !== 'sh') nodes.push(made('pre', code));
      if (language === 'glsl') nodes.push(actionNamed('Show in the editor', () => tryOut(code, 8)));
      continue;
    }
    for (const part of words.split(/\n{2,}/)) {
      const block = part.trim();
      if (!block || /^(<!--|!\[)/.test(block) || block.includes('[all lessons]')) continue;
      const heading = /^#+ (.*)$/.exec(block);
      nodes.push(heading ? made('h2', heading[1]) : paragraph(block.replace(/\n/g, ' ')));
    }
  }
  return nodes;
}
function actionNamed(name, act) {
  const button = made('button', name);
  button.addEventListener('click', act);
  return button;
}
/** Asks whether what the editor holds is right. */
async function checkAnswer() {
  const to = element('checked'), of = lesson;
  checking?.abort();
  checking = new AbortController();
  to.replaceChildren(made('p', 'checking...'));
  const answer = await ask({ask: 'lesson', number: of.number, answer: editor.get()}, checking.signal);
  if (lesson !== of || answer.error?.message === '') return;
  if (answer.error) return to.replaceChildren(made('p', answer.error.message, 'error'));
  const lines = made('pre', answer.lines.join('\n'));
  if (!answer.right) return to.replaceChildren(made('p', 'Not yet.', 'error'), lines, made('p', `Hint: ${answer.hint}`));
  markSolved(of.number);
  to.replaceChildren(made('p', 'Right.'), lines);
}
async function showLesson(number) {
  lesson = null;
  chapter.replaceChildren();
  if (!number) return;
  const answer = await ask({ask: 'lesson', number});
  if (answer.error) return say('', answer.error.message);
  lesson = answer;
  const result = made('div');
  result.id = 'checked';
  result.setAttribute('role', 'status');
  chapter.replaceChildren(...chapterNodes(lesson.chapter), actionNamed('Start the exercise', () => tryOut(lesson.exercise, 8)),
                          actionNamed('Check my answer', checkAnswer), result);
  element('details').scrollTop = 0;
  const shader = /```glsl\n([^]*?)```/.exec(lesson.chapter);
  if (shader) tryOut(shader[1], 8);
}
element('lesson').addEventListener('change', () => showLesson(Number(element('lesson').value)));
(async () => {
  const answer = await ask({ask: 'lesson'});
  if (answer.error) return;
  for (const {number, title} of answer.lessons) {
    const option = new Option(title, number);
    option.dataset.title = title;
    element('lesson').append(option);
  }
  nameLessons();
})();
