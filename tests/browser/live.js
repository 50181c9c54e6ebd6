'use strict';
// The live page: its shader, its inputs and its languages, and what it says about them.
const assert = require('assert');
const {folder, address, open, updated, text, step, problem, valueOf, setSource, shader, linkOf} = require('./page.js');

async function serve(browser) {
  const page = await open(browser, `${address}/`);
  // The first example shows the lane that reads the wrong base.
  assert.match(await text(page, 'difference'), /First different value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
  // The rule alone, of one run: lanes stay apart, and lane 0 has another base than the others.
  await page.locator('#beside').uncheck();
  await page.waitForFunction(() => document.getElementById('title').innerText.endsWith(': 8 lanes, maximal'));
  assert(await page.locator('#apart').isDisabled());
  await page.selectOption('#rule', 'core');
  await page.waitForFunction(() => /: 8 lanes, core/.test(document.getElementById('title').innerText));
  await page.click('#apart');
  await page.click('#forward');
  assert.match(await text(page, 'now'), /Lane 0 \(A\) and lanes 2,4,6 \(B\) execute this line one after another[^]*Result: A = 8, B = 0/);
  await page.selectOption('#rule', 'maximal');
  await page.locator('#beside').check();
  await page.waitForFunction(() => /maximal, beside 8 lanes, core/.test(document.getElementById('title').innerText));
  // Edit and run.
  await setSource(page, shader('  uint square = i * i;\n  data[i] = square;'));
  await updated(page);
  assert.match(await text(page, 'buffers'), /after\s+0\s+1\s+4\s+9\s+16\s+25\s+36\s+49/);
  // Typing is no command of the page.
  await page.evaluate(() => (document.querySelector('.CodeMirror')?.CodeMirror ?? document.getElementById('text')).focus());
  const at = await step(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// dmfx\n');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.getElementById('source').innerText + (document.getElementById('text')?.value ?? '')), /\/\/ dmfx/);
  assert.equal(await step(page), at);
  await page.waitForTimeout(300);
  await updated(page);
  // Another size, by keyboard.
  await page.evaluate(() => { document.getElementById('status').textContent = ''; });
  await page.locator('#beside').focus();
  await page.keyboard.press('Space');
  await page.locator('#size').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('4');
  await page.waitForFunction(() => /: 4 lanes/.test(document.getElementById('title').innerText));
  // The link holds the experiment.
  const link = page.url(), other = await open(browser, link);
  assert.match(await text(other, 'title'), /: 4 lanes/);
  assert.match(await text(other, 'buffers'), /16\s+25\s+36\s+49/);
  assert.deepEqual(other.faults, []);
  await other.close();
  // A bad shader: its message, at its line; the last run stays.
  await setSource(page, shader('  data[i] = nonsense;'));
  await problem(page);
  assert.match(await text(page, 'problem'), /^shader.comp:6: 'nonsense' : undeclared identifier/);
  if (await page.locator('.CodeMirror').count()) {
    const bad = await page.locator('.CodeMirror-code > div', { has: page.locator('.problem') }).innerText();
    assert.match(bad, /nonsense/);
  }
  assert.match(await text(page, 'buffers'), /16\s+25\s+36\s+49/);
  // An endless one ends, and shows what it did.
  await setSource(page, shader('  while (data[0] == 0u) data[i] = 0u;'));
  await problem(page);
  await page.waitForFunction(() => /iterations|endless/.test(document.getElementById('problem').innerText));
  assert((await step(page)) >= 1);
  // A change ends a run that goes on.
  await setSource(page, shader('  for (uint a = 0u; a < 19000u; ++a) for (uint b = 0u; b < 19000u; ++b) data[i] += b;'));
  await page.waitForTimeout(300);
  await setSource(page, shader('  data[i] = 7u;'));
  await updated(page);
  assert.match(await text(page, 'buffers'), /after\s+7\s+7/);
  // One that does nothing says so.
  await setSource(page, '#version 450\nvoid main() {}\n');
  await updated(page);
  assert.match(await text(page, 'now'), /No line of this shader was executed/);
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** A link holds all that the form has, and sends nothing of it. */
async function links(browser) {
  const page = await open(browser, `${address}/`);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  const source = shader('  // ünïcode ≠ <b>\n  data[i] = subgroups_of_${i};').replace('subgroups_of_${i}', '5u * i');
  await setSource(page, source);
  await updated(page);
  for (const id of ['inputs', 'texts']) await page.locator(`#${id} > summary`).click();
  for (const [id, value] of [['groups', '2'], ['contents', '0=fill:u32:16:9'], ['push', ''], ['size', '4']]) await page.fill(`#${id}`, value);
  await page.selectOption('#watch', '1');
  await page.selectOption('#rule', 'subgroup-uniform');
  await page.selectOption('#choose', 'random:2');
  await page.locator('#check').check();
  if (!await page.locator('#beside').isChecked()) await page.locator('#beside').check();
  await page.selectOption('#beside_rule', 'core');
  await page.fill('#beside_size', '4');
  await page.waitForFunction(() => /4 lanes, subgroup-uniform, random:2, beside/.test(document.getElementById('title').innerText));
  await page.waitForTimeout(300);
  const link = page.url();
  assert(link.includes('#z.') && link.length < 800, `${link.length} letters`);
  assert(asked.every((url) => url === `${address}/ask` || url.startsWith(`blob:${address}/`)), asked.join());
  const other = await open(browser, link);
  for (const id of ['groups', 'watch', 'contents', 'size', 'rule', 'choose', 'beside_rule', 'beside_choose'])
    assert.equal(await valueOf(other, id), await valueOf(page, id), id);
  assert(await other.locator('#check').isChecked() && await other.locator('#beside').isChecked());
  assert.equal(await text(other, 'title'), await text(page, 'title'));
  assert.equal(await text(other, 'buffers'), await text(page, 'buffers'));
  assert.match(await other.evaluate(() => document.getElementById('source').innerText + (document.getElementById('text')?.value ?? '')), /ünïcode ≠ <b>/);
  // The command repeats the run; clipboards of headless browsers may be refused, and then it is shown.
  await other.context().grantPermissions(['clipboard-read', 'clipboard-write'], {origin: address});
  await other.click('#command');
  await other.waitForFunction(() => /copied|lockstep trace/.test(document.getElementById('status').innerText));
  const command = await other.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^lockstep trace shader\.comp --groups 2 --subgroup-size 4 --convergence subgroup-uniform --choose random:2 --subgroup 1 --buffer 0=fill:u32:16:9 --check --beside '--subgroup-size 4 --convergence core /);
  // A link as it was before links were compressed.
  const old = Buffer.from(JSON.stringify({source: shader('  data[i] = 77u;'), size: 2})).toString('base64url');
  await other.goto(`${address}/#${old}`);
  await other.waitForFunction(() => /77\s+77/.test(document.getElementById('buffers').innerText));
  assert.deepEqual([...page.faults, ...other.faults], []);
  await page.close();
  await other.close();
}

/** A form made from what the shader declares; links and commands have what it says as texts. */
async function forms(browser) {
  const source = '#version 450\nlayout(local_size_x = 8) in;\nlayout(constant_id = 3) const uint k = 1u;\n' +
    'layout(push_constant) uniform P { uint a; vec2 v; };\nlayout(binding = 0) readonly buffer I { int numbers[]; };\n' +
    'layout(binding = 1) buffer O { float results[]; };\nlayout(binding = 2) uniform U { uint add; };\n' +
    'layout(binding = 3) uniform sampler2D tex;\n' +
    'void main() {\n  uint i = gl_LocalInvocationIndex;\n' +
    '  results[i] = float(numbers[i] + int(a + k + add)) + v.y + 0.0 * texture(tex, v).x;\n}\n';
  const page = await open(browser, `${address}/${linkOf({source})}`);
  await page.locator('#inputs > summary').click();
  const group = (name) => page.locator(`#form [role=group][aria-label^="${name}"]`);
  await page.waitForFunction(() => document.querySelectorAll('#form > *').length === 7);
  assert.match(await group('I, binding 0, read only').locator('option').first().innerText(), /default: 0, 1, 2, \.\.\., 8/);
  const results = (...numbers) => page.waitForFunction((expected) => document.getElementById('buffers').innerText.includes(expected), `after\t${numbers.join('\t')}`);
  await results(1, 2, 3, 4, 5, 6, 7, 8);
  await group('I, binding').locator('select').selectOption('fill');
  await group('I, binding').getByLabel('value').fill('40');
  await group('U').getByLabel('add').fill('2');
  await group('Push constants').getByLabel('a').fill('5');
  await group('Push constants').getByLabel('v').fill('0, 0.5');
  await group('Specialization').getByLabel('k').fill('100');
  await group('tex, sampler2D').locator('select').selectOption('zeros');
  await group('tex, sampler,').locator('select').nth(1).selectOption('clamp_to_edge');
  await results(...Array(8).fill('147.5'));
  // What the step does to memory is below its elements.
  await page.locator('#last').click();
  assert.match(await text(page, 'buffers'), /this step[^]*write 7/);
  const other = await open(browser, page.url());
  assert.match(await text(other, 'buffers'), /after\t147.5/);
  await other.locator('#inputs > summary').click();
  await other.waitForFunction(() => document.querySelectorAll('#form > *').length === 7);
  assert.equal(await other.locator('#form [aria-label^="Push constants"]').getByLabel('v').inputValue(), '0,0.5');
  assert.equal(await other.locator('#form select').first().inputValue(), 'fill');
  // Texts that the form does not know stay as they are.
  await other.locator('#texts > summary').click();
  await other.fill('#contents', '0=iota:i32:8\n1=zeros:f32:8\n2=zeros:u32:1\n');
  await other.waitForFunction(() => document.querySelector('#form select').value === 'iota');
  assert.equal(await other.evaluate(() => commandLine()), 'lockstep trace shader.comp --groups 1 --subgroup-size 8 --convergence maximal --choose rejoin-none' +
    ' --buffer 0=iota:i32:8 --buffer 1=zeros:f32:8 --buffer 2=zeros:u32:1 --image 3=rgba8:16x16:zeros --sampler 3=linear,clamp_to_edge --spec 3=100' +
    " --push 'a=5 v=0,0.5'");
  assert.deepEqual([...page.faults, ...other.faults], []);
  await page.close();
  await other.close();
}

/** HLSL, chosen from a list; its messages have lines, too. */
async function languages(browser) {
  const page = await open(browser, `${address}/`);
  await page.selectOption('#language', 'hlsl');
  // A shader of that language is there to begin with: lanes 0, 2, 4 and 6 add up.
  await page.waitForFunction(() => /after\t12\t1\t12\t3\t12\t5\t12\t7/.test(document.getElementById('buffers').innerText));
  // Each has its own.
  await page.selectOption('#language', 'glsl');
  await page.waitForFunction(() => /beside 8 lanes, core/.test(document.getElementById('title').innerText));
  await page.selectOption('#language', 'hlsl');
  await page.waitForFunction(() => /after\t12\t1/.test(document.getElementById('buffers').innerText));
  const hlsl = (value) => `RWStructuredBuffer<uint> data : register(u0);\n[numthreads(8, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  data[id.x] = ${value};\n}\n`;
  await setSource(page, hlsl('WaveActiveSum(id.x)'));
  await page.waitForFunction(() => /after\t28\t28/.test(document.getElementById('buffers').innerText));
  const other = await open(browser, page.url());
  assert.equal(await valueOf(other, 'language'), 'hlsl');
  assert.match(await other.evaluate(() => commandLine()), /^lockstep trace shader\.hlsl /);
  await other.close();
  await setSource(page, hlsl('nonsense'));
  await problem(page);
  assert.match(await text(page, 'problem'), /^shader.hlsl:4: /);
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** WGSL, which the list has where something compiles it. Its compiler may give no lines for steps, but does for mistakes. */
async function wgsl(browser) {
  const page = await open(browser, `${address}/`);
  await page.selectOption('#language', 'wgsl');
  // The shader to begin with is that of HLSL in WGSL.
  await page.waitForFunction(() => /after\t12\t1\t12\t3\t12\t5\t12\t7/.test(document.getElementById('buffers').innerText));
  assert.match(await text(page, 'status'), /^updated in \d+ ms; the compiler gave no line numbers, so steps are not marked/);
  assert.match(await text(page, 'now'), /^Step 1 of \d+\n/);
  assert.match(await page.evaluate(() => commandLine()), /^lockstep trace shader\.wgsl /);
  const source = await page.evaluate(() => editor.get());
  assert.match(source, /^enable subgroups;/);
  const other = await open(browser, page.url());
  assert.equal(await valueOf(other, 'language'), 'wgsl');
  assert.match(await text(other, 'buffers'), /after\t12\t1\t12\t3/);
  assert.deepEqual(other.faults, []);
  await other.close();
  await page.click('#explore');
  await page.waitForFunction(() => /Depends on subgroup-size/.test(document.getElementById('verdict').innerText), null, {timeout: 60000});
  // A mistake has its line; the last run stays.
  await setSource(page, source.replace('var value = id.x', 'var value = nonsense'));
  await problem(page);
  assert.match(await text(page, 'problem'), /^shader\.wgsl:7:\d+: no definition in scope for identifier: `nonsense`$/);
  if (await page.locator('.CodeMirror').count())
    assert.match(await page.locator('.CodeMirror-code > div', { has: page.locator('.problem') }).innerText(), /nonsense/);
  assert.match(await text(page, 'buffers'), /after\t12\t1/);
  // GLSL goes on to work, with what its editor had.
  await page.selectOption('#language', 'glsl');
  await page.waitForFunction(() => /beside 8 lanes, core/.test(document.getElementById('title').innerText));
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** The built-in under the cursor: what it does, where it is undefined, and an example that was run. */
async function explains(browser) {
  const page = await open(browser, `${address}/`);
  const put = (line, ch) => page.evaluate(([at, letter]) => {
    const editor = document.querySelector('.CodeMirror')?.CodeMirror, area = document.getElementById('text');
    if (editor) return editor.focus(), editor.setCursor({line: at, ch: letter});
    area.focus();
    area.selectionStart = area.selectionEnd = area.value.split('\n').slice(0, at).join('\n').length + 1 + letter;
    area.dispatchEvent(new Event('keyup'));
  }, [line, ch]);
  await setSource(page, shader('  data[i] = subgroupShuffleXor(i, 1u) +\n  3u;').replace('450', '450\n#extension GL_KHR_shader_subgroup_shuffle : enable'));
  await updated(page);
  await put(6, 20);
  await page.waitForFunction(() => /^subgroupShuffleXor/.test(document.getElementById('explained').innerText));
  const said = await text(page, 'explained');
  assert.match(said, /T subgroupShuffleXor\(T value, uint mask\)[^]*lane \^ mask[^]*Undefined: Where the source is not an active lane/);
  // Lanes 2 and 5 are not active: 3 and 4 read them.
  assert.deepEqual(await page.locator('#explained svg text').allTextContents(),
                   ['0', '10', '11', '1', '11', '10', '3', '13', '?', '4', '14', '?', '6', '16', '17', '7', '17', '16']);
  await put(7, 1);
  await page.waitForFunction(() => document.getElementById('explained').innerText === '');
  await setSource(page, shader('  // WaveReadLaneAt\n  data[i] = 1u;'));
  await updated(page);
  await put(5, 9);
  await page.waitForFunction(() => /one of: subgroupBroadcast, subgroupShuffle/.test(document.getElementById('explained').innerText));
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** What a result depends on, and the run that shows it. */
async function explores(browser) {
  const page = await open(browser, `${address}/`);
  await page.click('#explore');
  await page.waitForFunction(() => /Depends on/.test(document.getElementById('verdict').innerText), null, {timeout: 60000});
  assert.match(await text(page, 'verdict'), /Depends on convergence in line 22[^]*in the first run/);
  await page.screenshot({ path: `${folder}/explored-live.png` });
  await page.locator('#verdict button', { hasText: 'Show me' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /replay/.test(document.getElementById('title').innerText), null, {timeout: 60000});
  assert.match(await valueOf(page, 'choose'), /^convergence=replay:/);
  assert.equal(await valueOf(page, 'rule'), 'core');
  assert.equal(await valueOf(page, 'beside_choose'), 'rejoin-all');
  assert.match(await text(page, 'now'), /line 22[^]*different lanes are together for the first time/);
  assert.match(await text(page, 'difference'), /First different value/);
  await page.screenshot({ path: `${folder}/shown.png` });
  // It is in the link, too.
  const other = await open(browser, page.url());
  assert.match(await text(other, 'title'), /replay/);
  await other.close();
  // A change ends exploring, and takes the verdict away.
  await setSource(page, shader('  data[i] = i;'));
  await updated(page);
  assert.equal(await text(page, 'verdict'), '');
  await page.click('#explore');
  await page.waitForFunction(() => /Independent: every run gave the same/.test(document.getElementById('verdict').innerText), null, {timeout: 60000});
  await page.locator('#verdict button', { hasText: 'Close' }).click();
  assert.equal(await text(page, 'verdict'), '');
  await setSource(page, shader('  data[i] = nonsense;'));
  // The message of the run moves the button.
  await page.waitForFunction(() => /nonsense/.test(document.getElementById('problem').innerText));
  await page.click('#explore');
  await page.waitForFunction(() => /nonsense/.test(document.getElementById('verdict').innerText), null, {timeout: 60000});
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** A lesson's text is beside the shader, and answers to its exercise are checked. */
async function lessons(browser) {
  const page = await open(browser, `${address}/`);
  await page.waitForFunction(() => document.querySelectorAll('#lesson option').length === 17);
  await page.selectOption('#lesson', '1');
  await page.waitForFunction(() => /Check my answer/.test(document.getElementById('chapter').innerText));
  assert.match(await text(page, 'chapter'), /^1\. Active lanes/);
  assert.doesNotMatch(await text(page, 'chapter'), /```|\]\(|<!--|lockstep lesson/);
  await page.screenshot({ path: `${folder}/lesson.png` });
  const button = (name) => page.locator('#chapter button', { hasText: name }).first();
  await button('Start the exercise').click();
  await page.waitForFunction(() => /Exercise/.test(document.getElementById('source').innerText + (document.getElementById('text')?.value ?? '')));
  await button('Check my answer').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Not yet[^]*Hint: Count inside the branch/.test(document.getElementById('checked').innerText));
  assert.doesNotMatch(await page.locator('#lesson option:checked').innerText(), /✓/);
  await setSource(page, require('fs').readFileSync(`${__dirname}/../lessons/answers/01.right.comp`, 'utf8'));
  await updated(page);
  await button('Check my answer').click();
  await page.waitForFunction(() => /^Right/.test(document.getElementById('checked').innerText));
  assert.match(await page.locator('#lesson option:checked').innerText(), /✓$/);
  await page.reload();
  await page.waitForFunction(() => /✓/.test(document.getElementById('lesson').options[1]?.textContent));
  await page.selectOption('#lesson', '16');
  await page.waitForFunction(() => /^16\. /.test(document.getElementById('chapter').innerText));
  await page.selectOption('#lesson', '');
  assert.equal(await text(page, 'chapter'), '');
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function live_times(browser) {
  const page = await open(browser, `${address}/`);
  const times = [];
  for (let k = 0; k < 8; ++k) {
    await setSource(page, shader(`  data[i] = i + ${k}u;`));
    await updated(page);
    times.push(Number(/updated in (\d+) ms/.exec(await text(page, 'status'))[1]));
  }
  console.log(`edit and run: ${Math.min(...times)} to ${Math.max(...times)} ms`);
  await page.close();
}

module.exports = {serve, links, forms, languages, wgsl, explains, explores, lessons, live_times};
