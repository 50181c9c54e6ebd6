'use strict';
// usage: node opened.js FILE ADDRESS: opens the page with the engine as WebAssembly, as a file and from a server of files.
const assert = require('assert');
const {chromium} = require('playwright-core');

const [file, address] = process.argv.slice(2);
const updated = (page) => page.waitForFunction(() => /updated in/.test(document.getElementById('status').innerText));
const milliseconds = async (page) => Number(/updated in (\d+) ms/.exec(await page.locator('#status').innerText())[1]);

async function opened(browser, url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const start = performance.now();
  await page.goto(url);
  await updated(page);
  const first = performance.now() - start;
  // The lane that reads the wrong base: values come from the engine, not from the page.
  assert.match(await page.locator('#difference').innerText(), /First different value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
  // A lesson's shader, again and again.
  await page.waitForFunction(() => document.querySelectorAll('#lesson option').length === 17);
  const times = [];
  for (const number of ['1', '3', '6', '9', '12', '16', '3', '9']) {
    await page.evaluate(() => { document.getElementById('status').textContent = ''; });
    const [name] = await page.locator('#example option', {hasText: new RegExp(`lesson ${number.padStart(2, '0')}`)}).allInnerTexts();
    await page.selectOption('#example', {label: name});
    await updated(page);
    times.push(await milliseconds(page));
  }
  // A run that takes too long ends when it is no longer wanted, and the next one runs.
  const set = (body) => page.evaluate((text) => document.querySelector('.CodeMirror').CodeMirror.setValue(text),
      `#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n  ${body}\n}\n`);
  const run = () => page.evaluate(() => { document.getElementById('status').textContent = ''; changed(); });
  await set('for (uint a = 0u; a < 19000u; ++a) for (uint b = 0u; b < 19000u; ++b) data[i] += b;');
  await run();
  await page.waitForTimeout(500);
  assert.equal(await page.locator('#status').innerText(), '');
  await set('data[i] = 41u;');
  await run();
  await updated(page);
  assert.match(await page.locator('#buffers').innerText(), /after\s+41\s+41/);
  // One that is not ended by a change is ended after a while, here a short one.
  await page.evaluate(() => { LocalEngine.seconds = 0.5; });
  await set('for (uint a = 0u; a < 19000u; ++a) for (uint b = 0u; b < 19000u; ++b) data[i] += b;');
  await run();
  await page.waitForFunction(() => /takes more than 0.5 s/.test(document.getElementById('problem').innerText));
  assert.deepEqual(faults, []);
  await page.close();
  console.log(`${url.replace(/:.*/, '')}: first lanes after ${first.toFixed(0)} ms; lessons' runs ${times.join(', ')} ms`);
}

(async () => {
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
  try {
    await opened(browser, `file://${file}`);
    await opened(browser, address);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
})();
