'use strict';
// usage: node firefox.js FOLDER ADDRESS: the folder holds broken.html; at the address is `lockstep serve`. What differs between browsers is
// used once in Firefox: modules of the page, keys, the canvas, links, compressed fragments, ends of runs, and the policy of contents.
const assert = require('assert');
const puppeteer = require('puppeteer-core');

const [folder, address] = process.argv.slice(2);
const text = (page, id) => page.$eval(`#${id}`, (node) => node.innerText);
const says = (page, id, what) => page.waitForFunction((at, pattern) => new RegExp(pattern).test(document.getElementById(at).innerText),
                                                      {timeout: 120000}, id, what.source);
const updated = (page) => says(page, 'status', /updated in/);
async function open(browser, url) {
  const page = await browser.newPage();
  await page.setViewport({width: 1280, height: 720});
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('dialog', (dialog) => { page.faults.push('a dialog'); dialog.dismiss(); });
  await page.goto(url);
  return page;
}
/** Puts a shader of eight lanes into the editor, as typing does. */
const setBody = (page, body) => page.evaluate((given) => {
  const source = '#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n' +
    `void main() {\n  uint i = gl_LocalInvocationIndex;\n${given}\n}\n`;
  document.getElementById('status').textContent = '';
  const editor = document.querySelector('.CodeMirror')?.CodeMirror, area = document.getElementById('text');
  if (editor) return editor.replaceRange(source, {line: 0, ch: 0}, {line: editor.lineCount(), ch: 0});
  area.value = source;
  area.dispatchEvent(new Event('input'));
}, body);

async function recorded(browser) {
  const page = await open(browser, `file://${folder}/broken.html`);
  await page.keyboard.press('d');
  assert.match(await text(page, 'now'), /Here lanes diverge/);
  await page.keyboard.press('m');
  assert.match(await text(page, 'now'), /stay apart: nothing is promised/);
  const colours = await page.evaluate(() => {
    const {width, height} = canvas, all = canvas.getContext('2d').getImageData(0, 0, width, height).data;
    return new Set(new Uint32Array(all.buffer)).size;
  });
  assert(colours > 5, `${colours} colours`);
  assert.deepEqual(page.faults, []);
  await page.close();
}
async function live(browser) {
  const page = await open(browser, `${address}/`);
  await updated(page);
  assert.match(await text(page, 'difference'), /First different value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
  await setBody(page, '  data[i] = 5u * i;');
  await updated(page);
  await says(page, 'buffers', /after\s+0\s+5\s+10\s+15/);
  const other = await open(browser, page.url());
  await says(other, 'buffers', /after\s+0\s+5\s+10\s+15/);
  await other.close();
  await setBody(page, '  data[i] = nonsense;');
  await says(page, 'problem', /^shader.comp:6: 'nonsense' : undeclared identifier/);
  await setBody(page, '  while (data[0] == 0u) data[i] = 0u;');
  await says(page, 'problem', /iterations|endless/);
  // A change ends a run that goes on.
  await setBody(page, '  for (uint a = 0u; a < 19000u; ++a) for (uint b = 0u; b < 19000u; ++b) data[i] += b;');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await setBody(page, '  data[i] = 7u;');
  await says(page, 'buffers', /after\s+7\s+7/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('p');
  assert(await page.$eval('#experiment', (node) => node.getClientRects().length === 0));
  await page.keyboard.press('p');
  await page.select('#lesson', '1');
  await says(page, 'chapter', /^1\. Active lanes[^]*Check my answer/);
  await page.click('#explore');
  await says(page, 'verdict', /Independent|Depends on/);
  await setBody(page, `  // ${'x'.repeat(300000)}`);
  await says(page, 'problem', /too large/);
  assert.deepEqual(page.faults, []);
  await page.close();
}
/** Nothing in a link executes, and a damaged one is said. */
async function hostile(browser) {
  const attack = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</scr' + 'ipt>';
  const packed = require('zlib').deflateRawSync(JSON.stringify({source: attack, size: attack, rule: attack, buffers: [attack]})).toString('base64url');
  for (const fragment of [`#z.${packed}`, '#z.AAAA', '#<script>window.hacked=1</scr' + 'ipt>']) {
    const page = await open(browser, `${address}/${fragment}`);
    await says(page, 'problem', /./);
    assert.deepEqual(await page.evaluate(() => [window.hacked, document.images.length]), [undefined, 0], fragment);
    assert.deepEqual(page.faults, [], fragment);
    await page.close();
  }
}

(async () => {
  const browser = await puppeteer.launch({browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true});
  try {
    for (const part of [recorded, live, hostile]) {
      await part(browser);
      console.log(`${part.name} in Firefox: passed`);
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
})();
