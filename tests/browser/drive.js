'use strict';
// usage: node drive.js FOLDER ADDRESS [PART...]: the folder holds broken.html, compared.html, explored.html, findings.html, long.html and
// wide.html, and gets screenshots; at the address is `lockstep serve`.
const assert = require('assert');
const { chromium } = require('playwright-core');

const [folder, address, ...only] = process.argv.slice(2);
const options = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
                 '--disable-component-update', '--disable-sync'];

async function open(browser, name, width = 1280, colorScheme = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const live = name.startsWith(address), start = live ? address : 'file:';
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('request', (request) => request.url().replace(/^blob:/, '').startsWith(start) || request.url() === 'data:,' || page.faults.push(`loads ${request.url()}`));
  await page.goto(live ? name : `file://${folder}/${name}`);
  if (live) await updated(page);
  return page;
}
/** Waits until a run of `lockstep serve` is shown. */
const updated = (page) => page.waitForFunction(() => /updated in/.test(document.getElementById('status').innerText));
const text = (page, id) => page.locator(`#${id}`).innerText();
const step = async (page) => Number(/Step (\d+) of/.exec(await text(page, 'now'))[1]);

async function stepping(browser) {
  const page = await open(browser, 'broken.html');
  assert.equal(await step(page), 1);
  await page.keyboard.press('ArrowDown');
  assert.equal(await step(page), 2);
  await page.click('#forward');
  await page.click('#back');
  assert.equal(await step(page), 2);
  await page.keyboard.press('End');
  const last = await step(page);
  assert(last > 5);
  assert(await page.locator('#forward').isDisabled());
  await page.keyboard.press('Home');
  await page.keyboard.press('d');
  assert.match(await text(page, 'now'), /Here lanes diverge/);
  await page.keyboard.press('m');
  assert.match(await text(page, 'now'), /stay apart: nothing is promised/);
  const apart = await step(page);
  await page.keyboard.press('d');
  await page.keyboard.press('Shift+M');
  assert.equal(await step(page), apart);
  // The lane that reads the wrong base: each tangle broadcasts its own.
  for (let k = apart; k < last && !/subgroupBroadcastFirst of/.test(await text(page, 'operations')); ++k)
    await page.keyboard.press('ArrowDown');
  assert((await page.locator('#operations h2').allInnerTexts()).filter((t) => /^subgroupBroadcastFirst of/.test(t)).length > 1);
  assert.match(await text(page, 'stack'), /selection/);
  // By keyboard alone: to the source line, and to another subgroup.
  await page.selectOption('#subgroup', '1');
  assert.match(await text(page, 'title'), /subgroup 1 of workgroup 0/);
  await page.keyboard.press('Home');
  await page.locator('#play').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Step [3-9] of/.test(document.getElementById('now').innerText));
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#play').innerText(), 'Play');
  await page.locator('.code .number', { hasText: /^25$/ }).click();
  assert.match(await text(page, 'now'), /line 25/);
  // The work of lines: both tangles run line 25, of 16 lanes eight in all.
  assert.equal(await page.locator('#line-0-0-25').getAttribute('title'), 'ran 2 times, 25 % of its lanes at work');
  assert.doesNotMatch(await text(page, 'legend'), /the runs differ/);
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function findings(browser) {
  const page = await open(browser, 'findings.html');
  assert.match(await text(page, 'findings'), /error: .*\[lockstep-exchange\]/);
  await page.keyboard.press('f');
  assert.equal(await page.locator('.code.here.found').count(), 1);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.found .number'), '::before').content), '"!"');
  assert.match(await text(page, 'now'), /error: .*\[lockstep-exchange\]/);
  // From a read to the step that wrote the value, and back.
  const jump = page.locator('#operations button.jump').first();
  if (await jump.count()) {
    const from = await step(page);
    await jump.click();
    assert.notEqual(await step(page), from);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function compare(browser) {
  const page = await open(browser, 'compared.html');
  const heads = await page.locator('#lanes .name').allInnerTexts();
  assert.deepEqual(heads, ['8 lanes, maximal', '8 lanes, core, rejoin-none']);
  assert.match(await text(page, 'legend'), /the runs differ\s+first other value/);
  assert.match(await text(page, 'difference'), /First other value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
  // By keyboard alone: to the first lanes apart, then to the lane that reads the wrong base.
  await page.keyboard.press('x');
  assert.match(await text(page, 'now'), /line 22[^]*Beside: [^]*they stay apart[^]*other lanes are together for the first time/);
  await page.keyboard.press('x');
  assert.match(await text(page, 'now'), /line 25[^]*First other value: lane 2/);
  const cells = async (name) => page.locator('#variables tr', { has: page.locator(`th:text-is("${name}")`) }).locator('td').allInnerTexts();
  assert.deepEqual(await cells('base'), ['8', '-', '8', '-', '8', '-', '8', '-']);
  assert.deepEqual(await cells('beside: base'), ['8', '-', '0', '-', '0', '-', '0', '-']);
  assert.equal(await page.locator('#variables td.differs').count(), 6);
  // All eight lanes are seen without scrolling.
  assert(await page.evaluate(() => { const box = document.querySelector('#variables .wide'); return box.scrollWidth <= box.clientWidth; }));
  assert.equal(await page.locator('#variables tr', { has: page.locator('th:text-is("base")') }).locator('td.changed').count(), 4);
  await page.keyboard.press('Shift+X');
  assert.match(await text(page, 'now'), /line 22/);
  // The button in the text goes there, too.
  await page.locator('#difference button', { hasText: 'First other value' }).focus();
  await page.keyboard.press('Enter');
  assert.match(await text(page, 'now'), /line 25/);
  assert.deepEqual(page.faults, []);
  await page.close();
}

/** A page on paper has its steps. */
/** The page of a counterexample begins with the subgroup in which it differs from the first run. */
async function explored(browser) {
  const page = await open(browser, 'explored.html');
  assert.match(await text(page, 'title'), /subgroup 3 of workgroup 0: .*convergence=replay:.*, beside .*rejoin-all/);
  assert.equal(await page.locator('#subgroup option').count(), 4);
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  assert.match(await text(page, 'now'), /line 2[25]/);
  // A chooser may be long: the names of the runs do not cover each other.
  const [left, right] = await page.locator('#lanes .name').all();
  const first = await left.boundingBox(), second = await right.boundingBox();
  assert(first.x + first.width < second.x);
  await page.selectOption('#subgroup', '0');
  assert.match(await text(page, 'title'), /subgroup 0 of workgroup 0/);
  assert(await page.locator('#different').isDisabled());
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function print(browser) {
  const page = await open(browser, 'compared.html', 1280, 'dark');
  await page.pdf({ path: `${folder}/compared.pdf` });
  const pieces = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const height = [...document.querySelectorAll('#printed canvas')].reduce((sum, c) => sum + c.clientHeight || parseInt(c.style.height), 0);
    dispatchEvent(new Event('afterprint'));
    return {height, left: document.querySelectorAll('#printed canvas').length};
  });
  assert(pieces.height >= 14 * 18, `${pieces.height} pixels`);
  assert.equal(pieces.left, 0);
  assert.deepEqual(page.faults, []);
  await page.close();
}

// ---- lockstep serve ----

const problem = (page) => page.waitForFunction(() => document.getElementById('problem').innerText);
async function setSource(page, source) {
  await page.evaluate((text) => {
    const editor = document.querySelector('.CodeMirror');
    if (editor) editor.CodeMirror.setValue('');
    else document.getElementById('text').value = '';
    document.getElementById('status').textContent = '';
    (editor ? editor.CodeMirror : document.getElementById('text')).focus();
  }, source);
  await page.keyboard.insertText(source);
}
const shader = (body) => `#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n` +
    `void main() {\n  uint i = gl_LocalInvocationIndex;\n${body}\n}\n`;

async function serve(browser) {
  const page = await open(browser, `${address}/`);
  // The first example shows the lane that reads the wrong base.
  assert.match(await text(page, 'difference'), /First other value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
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

/** What a link of the page stands for. */
const linkOf = (experiment) => `#z.${require('zlib').deflateRawSync(JSON.stringify(experiment)).toString('base64url')}`;
const valueOf = (page, id) => page.locator(`#${id}`).inputValue();

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

/** Files of what is seen: a drawing, and a page of its own. */
async function saves(browser) {
  const page = await open(browser, `${address}/`);
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return {name: file.suggestedFilename(), text: require('fs').readFileSync(await file.path(), 'utf8')};
  };
  const drawing = await saved('#drawing');
  assert.equal(drawing.name, 'lanes.svg');
  require('fs').writeFileSync(`${folder}/lanes.svg`, drawing.text);
  const picture = await browser.newPage();
  await picture.goto(`file://${folder}/lanes.svg`);
  const count = (what) => picture.locator(what).count();
  assert.equal(await picture.evaluate(() => document.documentElement.namespaceURI), 'http://www.w3.org/2000/svg');
  assert(await count('rect') > 100 && await count('path') >= 8);
  assert.match(await picture.evaluate(() => document.documentElement.textContent), /≠[^]*8 lanes, core/);
  await picture.screenshot({ path: `${folder}/lanes.png` });
  await picture.close();
  const alone = await saved('#save');
  assert.equal(alone.name, 'lanes.html');
  require('fs').writeFileSync(`${folder}/saved.html`, alone.text);
  const other = await open(browser, 'saved.html');
  assert.match(await text(other, 'title'), /8 lanes, maximal, beside 8 lanes, core/);
  assert.match(await text(other, 'difference'), /First other value: lane 2/);
  assert.deepEqual([...page.faults, ...other.faults], []);
  await other.close();
  await page.close();
}

/** Links are written by anyone: nothing in them executes, is loaded or breaks the page. */
async function hostile(browser) {
  const attack = '"><img src=http://127.0.0.1:9/x onerror="window.hacked=1"><script>window.hacked=1</scr' + 'ipt>';
  const bomb = `#z.${require('zlib').deflateRawSync(Buffer.alloc(64 << 20, 0x20)).toString('base64url')}`;
  const everywhere = {source: attack, size: attack, rule: attack, choose: attack, device: attack, groups: attack, subgroup: attack,
                      buffers: [attack, {}], images: [attack, null], push: attack, constants: [attack, {}], language: attack, check: attack, beside: {rule: attack, choose: attack}};
  const fragments = [
    '#%%%', '#z.', '#z.AAAA', '#<script>window.hacked=1</scr' + 'ipt>', '#javascript:window.hacked=1', bomb,
    linkOf([1, 2]), linkOf(null), linkOf(7), linkOf('text'), linkOf(everywhere),
    linkOf({source: {toString: 1}, size: {valueOf: 1}, rule: [], choose: {}, groups: {toString: null}, buffers: 'x', images: {}, beside: 3}),
    `#z.${require('zlib').deflateRawSync(`{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}`).toString('base64url')}`,
    linkOf({source: shader('  data[i] = 1u;'), buffers: ['0=/etc/passwd.bin']}),
    linkOf({source: `#version 450\n#line 1 "${attack}"\nlayout(local_size_x = 8) in;\nvoid main() { undeclared; }`}),
    linkOf({source: shader(`  uint a = i; // ${attack}\n  data[i] = a;`), choose: 'rejoin-none'}),
  ];
  for (const fragment of fragments) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => { faults.push('a dialog'); dialog.dismiss(); });
    page.on('request', (request) => request.url().replace(/^blob:/, '').startsWith(`${address}/`) || request.url() === 'data:,' || faults.push(`loads ${request.url()}`));
    await page.goto(`${address}/${fragment}`);
    await page.waitForFunction(() => /updated in/.test(document.getElementById('status').innerText) || document.getElementById('problem').innerText);
    const found = await page.evaluate(() => ({hacked: window.hacked, polluted: ({}).polluted, images: document.querySelectorAll('img').length,
                                               inline: [...document.scripts].filter((s) => !s.src).length}));
    assert.deepEqual(found, {hacked: undefined, polluted: undefined, images: 0, inline: 0}, fragment.slice(0, 60));
    assert.deepEqual(faults, [], fragment.slice(0, 60));
    assert(page.url().startsWith(`${address}/#`));
    // The page still works.
    await setSource(page, shader('  data[i] = 31u;'));
    for (const id of ['contents', 'images', 'push', 'constants']) await page.evaluate((field) => { document.getElementById(field).value = ''; }, id);
    if (fragment === '#%%%') {
      await page.waitForFunction(() => /31\s+31/.test(document.getElementById('buffers').innerText));
      assert.doesNotMatch(await text(page, 'problem'), /damaged/);
    }
    await page.close();
  }
  // What is damaged is said, and the first example is there instead.
  const page = await browser.newPage();
  await page.goto(`${address}/${bomb}`);
  await page.waitForFunction(() => /damaged/.test(document.getElementById('problem').innerText));
  await page.waitForFunction(() => /allocate|8 lanes, maximal, beside/.test(document.getElementById('title').innerText));
  // A shader that is too large is refused in words.
  await page.evaluate((long) => {
    const editor = document.querySelector('.CodeMirror');
    if (editor) editor.CodeMirror.replaceRange(long, {line: 0, ch: 0});
    else { const area = document.getElementById('text'); area.value = long + area.value; area.dispatchEvent(new Event('input')); }
  }, `// ${'x'.repeat(99)}\n`.repeat(3000));
  await page.waitForFunction(() => /too large/.test(document.getElementById('problem').innerText));
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
  assert.match(await text(page, 'now'), /line 22[^]*other lanes are together for the first time/);
  assert.match(await text(page, 'difference'), /First other value/);
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

/** Controls that are hidden leave the window to the shader, and stay hidden. */
async function folds(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${address}/`);
  await updated(page);
  const height = () => page.evaluate(() => document.querySelector('header').getBoundingClientRect().height);
  const shown = await height();
  assert(shown <= 180, `controls take ${shown} pixels`);
  await page.locator('#fold').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#fold').getAttribute('aria-expanded'), 'false');
  assert(await page.locator('#size').isHidden());
  const hidden = await height();
  assert(hidden <= 90, `the rest takes ${hidden} pixels`);
  await page.reload();
  await updated(page);
  assert(await page.locator('#size').isHidden());
  await page.click('#fold');
  assert(await page.locator('#size').isVisible());
  assert.equal(await height(), shown);
  // The controls of the second run are there with it alone.
  await page.locator('#beside').uncheck();
  assert(await page.locator('#beside_rule').isHidden());
  // The source has the width that the bar is given, also by keys.
  const width = () => page.evaluate(() => document.getElementById('source').getBoundingClientRect().width);
  const before = await width();
  await page.locator('#divider').focus();
  for (let k = 0; k < 5; ++k) await page.keyboard.press('ArrowRight');
  assert(await width() > before + 60);
  await page.close();
}

/** For a projector: large type, all lanes, no form; readable at 1280 x 720. */
async function presents(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${address}/`);
  await updated(page);
  await page.keyboard.press('p');
  assert.equal(await page.locator('#present').getAttribute('aria-pressed'), 'true');
  assert(await page.locator('#experiment').isHidden());
  await page.keyboard.press('x');
  const seen = await page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const here = document.querySelector('#source .here'), source = box('#source');
    return {header: box('header').height, line: here?.getBoundingClientRect(), source: {top: source.top, bottom: source.bottom},
            number: box('#source .CodeMirror-linenumber, #source .number')?.width, across: document.documentElement.scrollWidth,
            down: document.documentElement.scrollHeight, letters: box('#now p').height};
  });
  assert(seen.header <= 90, `the header takes ${seen.header} pixels`);
  assert(seen.across <= 1280 && seen.down <= 720, `${seen.across} x ${seen.down}`);
  assert(seen.line && seen.line.top >= seen.source.top && seen.line.bottom <= seen.source.bottom + 1, JSON.stringify(seen));
  assert(seen.number > 8);
  await page.screenshot({ path: `${folder}/presented.png` });
  // The same window at 150 %: source, lanes and values are beside each other, and all lanes have letters.
  await page.setViewportSize({ width: 853, height: 480 });
  const small = await page.evaluate(() => ({tops: ['source', 'timeline', 'details'].map((id) => Math.round(document.getElementById(id).getBoundingClientRect().top)),
                                            across: document.documentElement.scrollWidth, cell}));
  assert(new Set(small.tops).size === 1 && small.across <= 853 && small.cell >= 12, JSON.stringify(small));
  await page.screenshot({ path: `${folder}/presented-150.png` });
  await page.setViewportSize({ width: 1280, height: 720 });
  // Keys step, and the legend has only what is seen.
  const at = await step(page);
  await page.keyboard.press('ArrowDown');
  assert.equal(await step(page), at + 1);
  assert.doesNotMatch(await text(page, 'legend'), /rejoin by choice/);
  assert.match(await text(page, 'legend'), /stay apart/);
  await page.keyboard.press('p');
  assert(await page.locator('#experiment').isVisible());
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.documentElement.classList.contains('presenting'));
  // A picture of the steps.
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  const bytes = require('fs').readFileSync(await saved.path());
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert(bytes.readUInt32BE(16) > 300 && bytes.readUInt32BE(20) > 200);
  assert.deepEqual(faults, []);
  await page.close();
}

/** A page of another origin can neither read nor start anything. */
async function foreign(browser) {
  const page = await browser.newPage();
  await page.goto(`file://${folder}/broken.html`);
  const tried = await page.evaluate(async (to) => {
    const outcomes = [];
    for (const options of [{}, {method: 'POST', body: '{}'}, {method: 'POST', body: '{}', headers: {'Content-Type': 'application/json'}},
                           {method: 'POST', body: '{}', mode: 'no-cors'}]) {
      try {
        const response = await fetch(`${to}/ask`, options);
        outcomes.push(response.type === 'opaque' ? 'hidden' : `status ${response.status}`);
      } catch {
        outcomes.push('refused');
      }
    }
    return outcomes;
  }, address);
  // Browsers differ in whether they send a request whose answer is kept from the page.
  assert(tried.every((outcome) => outcome === 'refused' || outcome === 'hidden'), tried.join());
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

/** Presses keys one after another; the processor time of the page's thread for each until it is drawn, in milliseconds. */
async function timesOf(page, keys) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  const times = [];
  for (const key of keys) {
    const start = await spent();
    await page.evaluate(async (pressed) => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }, key);
    times.push((await spent() - start) * 1000);
  }
  await session.detach();
  return times.sort((a, b) => a - b);
}
async function checkTimes(name, page, keys) {
  const times = await timesOf(page, keys), middle = times[times.length >> 1];
  console.log(`${name}: ${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)} ms for a key, half of them below ${middle.toFixed(0)} ms`);
  assert(middle < 50, `${name}: half of the keys take more than ${middle} ms`);
}
async function long(browser) {
  const page = await open(browser, 'long.html');
  const count = Number(/of (\d+)/.exec(await text(page, 'now'))[1]);
  assert(count > 60000, `${count} steps`);
  await checkTimes(`${count} steps`, page, ['PageDown', 'ArrowDown', 'd', 'End', 'ArrowUp', 'Home', 'd', 'd', 'PageDown', 'ArrowDown', 'D', 'm',
                                            'End', 'Home']);
  assert.deepEqual(page.faults, []);
  await page.close();
}
/** Tables of large subgroups show some of the lanes. */
async function wide(browser) {
  const page = await open(browser, 'wide.html');
  await page.keyboard.press('End');
  const heads = async () => (await page.locator('#variables th').allInnerTexts()).filter((text) => /^\d+$/.test(text));
  assert.deepEqual(await heads(), [...Array(32).keys()].map(String));
  await page.locator('#pager button', { hasText: 'Lanes 96-127' }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual((await heads())[0], '96');
  assert.equal(await page.locator('#pager button[aria-pressed=true]').innerText(), 'Lanes 96-127');
  await checkTimes('128 lanes, 24 variables', page, [...Array(12).fill('ArrowUp'), 'd', 'd', 'Home', 'End', 'PageUp', 'D']);
  // Where Tab leads to a part that scrolls, arrows scroll it; elsewhere they step.
  const before = await step(page);
  await page.locator('#theme').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  assert.equal(await step(page), before);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  assert.equal(await step(page), before - 1);
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function looks(browser) {
  for (const [width, theme] of [[1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']]) {
    for (const name of ['broken', 'compared', 'findings', 'wide', 'serve']) {
      const page = await open(browser, name === 'serve' ? `${address}/` : `${name}.html`, width, theme);
      await page.keyboard.press('m');
      await page.keyboard.press('ArrowDown');
      if (name === 'serve') {
        for (const id of ['inputs', 'texts']) await page.locator(`#${id} > summary`).click();
        await page.waitForFunction(() => document.querySelectorAll('#form > *').length === 3);
      }
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: width < 900 });
      await page.evaluate(require('fs').readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      const serious = await page.evaluate(async () => (await axe.run()).violations
          .filter((v) => v.impact === 'serious' || v.impact === 'critical')
          .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' ')}`));
      assert.deepEqual(serious, [], `${name} at ${width}, ${theme}`);
      await page.close();
    }
  }
}

(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: options });
  // Tests share their processors with others.
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (...how) => {
    const page = await newPage(...how);
    page.setDefaultTimeout(120000);
    return page;
  };
  try {
    for (const part of [stepping, findings, compare, explored, print, serve, links, forms, languages, explains, saves, hostile, explores, lessons, folds, presents, foreign, live_times, long, wide, looks]) {
      if (only.length && !only.includes(part.name)) continue;
      await part(browser);
      console.log(`${part.name}: passed`);
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
})();
