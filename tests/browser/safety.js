'use strict';
// What links and pages of others can do, which is nothing.
const assert = require('assert');
const {folder, address, updated, text, setSource, shader, linkOf} = require('./page.js');

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

module.exports = {hostile, foreign};
