// ---- The editor ----

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
