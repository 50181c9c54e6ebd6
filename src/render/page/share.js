// ---- Links, command lines and pages of the experiment ----

/** A text for a link: compressed, in letters that links have. Nothing of it is sent to the server. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) binary += String.fromCharCode(byte);
  return 'z.' + btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
/** The most that a link may hold, since a short one may stand for much. */
const mostLetters = 1 << 19;
async function unpacked(link) {
  const compressed = link.startsWith('z.');
  const binary = atob(link.slice(compressed ? 2 : 0).replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  if (!compressed) return new TextDecoder().decode(bytes);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, {stream: true});
    if (text.length <= mostLetters) continue;
    await reader.cancel();
    throw new Error('the link holds too much');
  }
  return text;
}
/** Of the shader, in messages. */
const fileName = () => `shader.${{hlsl: 'hlsl', wgsl: 'wgsl'}[element('language').value] ?? 'comp'}`;
/** The command line that shows the experiment in a terminal. */
function commandLine() {
  const e = experiment(), words = ['lockstep', 'trace', fileName(), '--groups', e.groups || '1'];
  const quoted = (word) => /^[\w.,:=+*@/-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
  const machine = (m) => [...(m.size ? ['--subgroup-size', String(m.size)] : []), ...(m.device ? ['--device', m.device] : []),
                          '--convergence', m.rule, '--choose', m.choose, ...(m.mapping ? ['--mapping', m.mapping] : []),
                          ...(m.partial ? ['--partial-subgroups', m.partial] : []), ...(m.order ? ['--workgroup-order', m.order] : [])];
  words.push(...machine(e));
  if (e.subgroup !== '0') words.push('--subgroup', e.subgroup);
  for (const buffer of filled.inputs) words.push('--buffer', buffer);
  for (const image of filled.images) words.push(/=.*:/.test(image) ? '--image' : '--sampler', image);
  for (const constant of e.constants) words.push('--spec', constant);
  if (filled.push) words.push('--push', filled.push);
  if (e.check) words.push('--check');
  if (e.beside) words.push('--beside', machine(e.beside).join(' '));
  return words.map(quoted).join(' ');
}
/** The inputs of the last run, with those that the page left out. */
let filled = {inputs: [], images: [], push: ''};

async function copy(text, done, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    element('status').textContent = done;
  } catch {
    element('status').textContent = otherwise;
  }
}
element('link').addEventListener('click', () => copy(location.href, 'link copied', 'the address of this page is the link'));
element('save').addEventListener('click', async () => {
  const answer = await ask({ask: 'page', ...experiment()});
  if (answer.error) return say('', answer.error.message, answer.error.line);
  download(new Blob([answer.html], {type: 'text/html'}), 'lanes.html');
});
element('command').addEventListener('click', () => {
  const command = commandLine();
  copy(command, `command copied; save the shader as ${fileName()}`, command);
});
