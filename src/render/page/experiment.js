// ---- The experiment: the form as an object ----

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
`}, wgsl: {language: 'wgsl', size: 8, source: `enable subgroups;

@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var value = id.x;
  if (value % 2u == 0u) {
    value = subgroupAdd(value);
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
