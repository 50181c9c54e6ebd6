// ---- Inputs: a form of what the shader declares. It edits the texts beside it, which links and commands hold. ----

/** The ways to fill a buffer, and what each needs besides a type and how many numbers. */
const fillings = {zeros: [], iota: [], fill: ['value'], random: ['seed', 'from', 'to']};
const fillingNames = {zeros: 'zeros', iota: '0, 1, 2, ...', fill: 'one value', random: 'random numbers'};
const filterNames = ['linear', 'nearest'], wrapNames = ['repeat', 'mirrored_repeat', 'clamp_to_edge', 'clamp_to_border'];

/** The line for a binding in a text field or a list, as "0=zeros:u32:64" and "0.count=5". `isKind` tells images from samplers. */
function lineOf(id, {set, binding, name, register}, member = '', isKind = () => true) {
  const keys = [set === 0 ? `${binding}` : `${set}:${binding}`, `${set}:${binding}`, name, register].filter((key) => key).map((key) => key + member);
  const isMine = (line) => keys.includes(line.split('=')[0].trim()) && isKind(line);
  const contents = (line = '') => line.replace(/^[^=]*=/, '').trim();
  return {
    get: () => contents(linesIn(id).find(isMine)),
    /** What the last run had there. */
    used: () => contents((id === 'contents' ? filled.inputs : filled.images).find(isMine)),
    set(text) {
      const lines = linesIn(id), at = lines.findIndex(isMine), line = text ? [`${keys[0]}=${text}`] : [];
      lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, ...line);
      edit(id, lines.join('\n'));
    },
  };
}
const isImageLine = (line) => /=.*:/.test(line);
function edit(id, text) {
  element(id).value = text;
  drawnInputs = inputsKey();
  changed();
}

// Fields

/** The group of an input's fields: its name, a list of choices, and what the choice needs. */
function inputRow(title, label) {
  const row = made('span', '', 'controls input');
  row.setAttribute('role', 'group');
  row.setAttribute('aria-label', title);
  row.title = title;
  row.append(made('b', label));
  return row;
}
function listOf(name, options, chosen, act) {
  const list = made('select');
  list.setAttribute('aria-label', name);
  for (const [value, text] of options) list.append(new Option(text, value));
  list.value = chosen;
  list.addEventListener('change', () => act(list.value));
  return list;
}
function fieldOf(name, value, act, hint = '') {
  const label = made('label', `${name} `), field = made('input');
  field.size = 6;
  field.value = value;
  field.placeholder = hint;
  field.addEventListener('input', () => act(field.value.trim()));
  label.append(field);
  return label;
}

// Buffers

/** GLSL's scalars and vectors in the names that buffers' types have; the one type of all of a block's numbers, else nothing. */
function numberType(block) {
  const types = new Set(), bits = /(8|16|64)/;
  const visit = (type) => {
    if (type.members || type.element) return (type.members ?? [type.element]).forEach(visit);
    const letter = {u: 'u', i: 'i', d: 'f'}[type.type[0]] ?? 'f', is64 = /^d(vec|mat|ouble)/.test(type.type);
    types.add(letter + (is64 ? '64' : bits.exec(type.type.replace(/(vec|mat).*/, ''))?.[0] ?? '32'));
  };
  visit(block);
  return types.size === 1 ? [...types][0] : null;
}
const wordsOf = (spec) => {
  const [rule, , count] = spec.split(':');
  return spec ? `default: ${fillingNames[rule] ?? rule}, ${count}` : 'default';
};
/** Members with one value each; a block whose size is open has others. */
const hasFields = (block) => block.members.every(({kind}) => kind === 'number' || kind === 'vector');
/** A field for each member of a block. `write` gets a member's name and its new text. */
function memberFields(block, values, write) {
  return block.members.map(({name, type}) => fieldOf(name, values[name] ?? '', (text) => write(name, text.replace(/\s+/g, '')), type));
}
function memberRow(title, buffer) {
  const row = inputRow(title, buffer.name), lines = {}, values = {};
  for (const {name} of buffer.block.members) {
    lines[name] = lineOf('contents', buffer, `.${name}`);
    values[name] = lines[name].get();
  }
  row.append(...memberFields(buffer.block, values, (name, text) => lines[name].set(text)));
  return row;
}
function bufferRow(buffer) {
  const title = `${buffer.name}, binding ${buffer.binding}${buffer.writable ? '' : ', read only'}`, line = lineOf('contents', buffer);
  if (hasFields(buffer.block) && !line.get()) return memberRow(title, buffer);
  const row = inputRow(title, buffer.name), fields = made('span', '', 'controls'), type = numberType(buffer.block);
  const known = (spec) => (type && /^(zeros|iota|fill|random):\w+:\d+/.test(spec) && spec.split(':')[0]) || (spec ? 'text' : '');
  const show = (rule) => {
    if (rule === '') return fields.replaceChildren();
    if (rule === 'text') return fields.replaceChildren(fieldOf('text', line.get() || line.used(), line.set));
    const names = ['numbers', ...fillings[rule]], isIt = known(line.get()) === rule, first = (line.get() || line.used()).split(':')[2];
    const values = isIt ? line.get().split(':').slice(2) : [first ?? '64', ...(rule === 'fill' || rule === 'random' ? ['1'] : [])];
    const write = () => line.set([rule, type, ...values].join(':').replace(/:+$/, ''));
    fields.replaceChildren(...names.map((name, k) => fieldOf(name, values[k] ?? '', (text) => { values[k] = text; write(); })));
    if (!isIt) write();
  };
  const options = [['', 'default'], ...(type ? Object.entries(fillingNames) : []), ['text', 'as text']];
  const list = listOf(`Contents of ${buffer.name}`, options, known(line.get()), (rule) => { if (rule === '') line.set(''); show(rule); });
  row.append(list, fields);
  row.refresh = () => { list.options[0].textContent = line.get() ? 'default' : wordsOf(line.used()); };
  show(list.value);
  return row;
}

// Images and samplers

function imageRow(image) {
  const line = lineOf('images', image, '', isImageLine), fields = made('span', '', 'controls');
  const row = inputRow(`${image.name}, ${image.type}, binding ${image.binding}`, image.name);
  const shapeOf = (spec) => spec.replace(/:(zeros|random:.*)$/, ''), known = (spec) => spec && (/:zeros$/.test(spec) ? 'zeros' : 'text');
  const show = (rule) => {
    if (rule === '') return fields.replaceChildren();
    if (rule === 'text') return fields.replaceChildren(fieldOf('text', line.get() || line.used(), line.set));
    fields.replaceChildren(fieldOf('format:size', shapeOf(line.get() || line.used()), (text) => line.set(`${text}:zeros`)));
    if (known(line.get()) !== rule) line.set(`${shapeOf(line.used())}:zeros`);
  };
  const list = listOf(`Texels of ${image.name}`, [['', 'default'], ['zeros', 'zeros'], ['text', 'as text']], known(line.get()),
                      (rule) => { if (rule === '') line.set(''); show(rule); });
  row.append(list, fields);
  row.refresh = () => { list.options[0].textContent = line.get() ? 'default' : `default: ${shapeOf(line.used())}`; };
  show(list.value);
  return row;
}
function samplerRow(sampler) {
  const line = lineOf('images', sampler, '', (text) => !isImageLine(text)), now = (line.get() || 'linear,repeat').split(',');
  const row = inputRow(`${sampler.name}, sampler, binding ${sampler.binding}`, `${sampler.name}, sampler`);
  if (!filterNames.includes(now[0]) || !wrapNames.includes(now[1]) || now.length > 2) {
    row.append(fieldOf('text', line.get(), line.set));
    return row;
  }
  const list = (name, names, k) => listOf(`${name} of ${sampler.name}`, names.map((one) => [one, one]), now[k], (value) => { now[k] = value; line.set(now.join(',')); });
  row.append(list('Filter', filterNames, 0), list('Wrapping', wrapNames, 1));
  return row;
}

// Push constants

/** What a text gives each member: "count=5 scale=1.5", or values alone in order: "u32:5 f32:1.5"; nothing for other texts. */
function pushed(text, members) {
  const values = {}, words = text.split(/\s+/).filter((word) => word);
  for (const [k, word] of words.entries()) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(word) ?? [], [, alone] = /^[uif]\d+:([^:]+)$/.exec(word) ?? [];
    if (name !== undefined && members.some((member) => member.name === name)) values[name] = value;
    else if (alone !== undefined && members[k]?.kind === 'number') values[members[k].name] = alone;
    else return null;
  }
  return values;
}
function pushRow(block) {
  const values = pushed(element('push').value, block.members);
  if (!values || !hasFields(block)) return null;
  const row = inputRow('Push constants', 'Push constants');
  row.append(...memberFields(block, values, (member, text) => {
    values[member] = text;
    edit('push', block.members.filter(({name}) => values[name]).map(({name}) => `${name}=${values[name]}`).join(' '));
  }));
  return row;
}

// Specialization constants

function constantsRow(constants) {
  const given = new Map(element('constants').value.split(/\s+/).map((word) => word.split('='))), row = inputRow('Specialization constants', 'Constants');
  for (const {id, name, default: otherwise} of constants)
    row.append(fieldOf(name || `constant ${id}`, given.get(`${id}`) ?? '', (text) => {
      given.set(`${id}`, text.replace(/\s+/g, ''));
      edit('constants', [...given].filter(([, value]) => value).map((pair) => pair.join('=')).join(' '));
    }, otherwise));
  return row;
}

// The form

let inspected = null, inspectedSource = '', drawnInputs = '', inputRows = [];
const inputsKey = () => JSON.stringify([inspected?.bindings, inspected?.push_constants, inspected?.constants, ...['contents', 'images', 'push', 'constants'].map((id) => element(id).value)]);
/** The subgroups of a workgroup that can be watched. */
function listSubgroups() {
  const [x, y, z] = inspected.local_size, chosen = element('watch').value;
  const count = runs.length ? Math.ceil(x * y * z / runs[0].data.size) : 1;
  element('watch').replaceChildren(...Array.from({length: count}, (_, k) => new Option(k)), new Option('all'));
  setChoice('watch', chosen);
}
function drawInputs() {
  if (drawnInputs !== inputsKey()) {
    drawnInputs = inputsKey();
    const one = inspected.bindings.filter(({elements, used}) => elements === 1 && used !== false), rows = [];
    for (const binding of one) {
      if (binding.block) rows.push(bufferRow(binding));
      if (/image|texel/.test(binding.kind)) rows.push(imageRow(binding));
      if (/sampler/.test(binding.kind)) rows.push(samplerRow(binding));
    }
    if (inspected.push_constants) rows.push(pushRow(inspected.push_constants));
    if (inspected.constants.length) rows.push(constantsRow(inspected.constants));
    inputRows = rows.filter((row) => row);
    element('form').replaceChildren(...inputRows);
  }
  for (const row of inputRows) row.refresh?.();
  listSubgroups();
}
/** Fits the form to the shader and to the texts, where it is seen. A shader that does not compile keeps the form before. */
async function updateInputs() {
  if (!element('inputs').open) return;
  const {source, language} = experiment(), text = `${language}\n${source}`;
  if (inspectedSource !== text) {
    const answer = await ask({ask: 'inspect', source, language});
    if (answer.error || editor.get() !== source) return;
    inspected = answer;
    inspectedSource = text;
  }
  drawInputs();
}
element('inputs').addEventListener('toggle', updateInputs);
