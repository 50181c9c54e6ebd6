'use strict';
// Pages that `lockstep trace -o` and `lockstep explore --trace` write.
const assert = require('assert');
const {folder, open, text, step} = require('./page.js');

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
  assert.match(await text(page, 'legend'), /the runs differ\s+first different value/);
  assert.match(await text(page, 'difference'), /First different value: lane 2, subgroupBroadcastFirst: 8, beside 0/);
  // By keyboard alone: to the first lanes apart, then to the lane that reads the wrong base.
  await page.keyboard.press('x');
  assert.match(await text(page, 'now'), /line 22[^]*Beside: [^]*they stay apart[^]*different lanes are together for the first time/);
  await page.keyboard.press('x');
  assert.match(await text(page, 'now'), /line 25[^]*First different value: lane 2/);
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
  await page.locator('#difference button', { hasText: 'First different value' }).focus();
  await page.keyboard.press('Enter');
  assert.match(await text(page, 'now'), /line 25/);
  assert.deepEqual(page.faults, []);
  await page.close();
}

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

/** A page on paper has its steps. */
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

module.exports = {stepping, findings, compare, explored, print, long, wide};
