'use strict';
// usage: node drive.js FOLDER, which holds broken.html, findings.html and long.html; screenshots are left there.
const assert = require('assert');
const { chromium } = require('playwright-core');

const folder = process.argv[2];
const options = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
                 '--disable-component-update', '--disable-sync'];

async function open(browser, name, width = 1280, colorScheme = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('request', (request) => request.url().startsWith('file:') || page.faults.push(`loads ${request.url()}`));
  await page.goto(`file://${folder}/${name}`);
  return page;
}
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
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function findings(browser) {
  const page = await open(browser, 'findings.html');
  assert.match(await text(page, 'findings'), /error: .*\[lockstep-exchange\]/);
  await page.keyboard.press('f');
  assert.equal(await page.locator('.code.here.found').count(), 1);
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

async function long(browser) {
  const page = await open(browser, 'long.html');
  const count = Number(/of (\d+)/.exec(await text(page, 'now'))[1]);
  assert(count > 60000, `${count} steps`);
  const times = await page.evaluate(async () => {
    const all = [];
    for (const key of ['PageDown', 'ArrowDown', 'd', 'End', 'ArrowUp', 'Home', 'd', 'd', 'PageDown']) {
      const start = performance.now();
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      document.body.offsetHeight;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      all.push(performance.now() - start);
    }
    return all;
  });
  console.log(`${count} steps: interactions of ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`);
  assert.deepEqual(page.faults, []);
  await page.close();
}

async function looks(browser) {
  for (const [width, theme] of [[1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']]) {
    for (const name of ['broken', 'findings']) {
      const page = await open(browser, `${name}.html`, width, theme);
      await page.keyboard.press('m');
      await page.keyboard.press('ArrowDown');
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: width < 900 });
      await page.addScriptTag({ path: require.resolve('axe-core/axe.min.js') });
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
  try {
    for (const part of [stepping, findings, long, looks]) {
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
