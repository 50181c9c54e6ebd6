'use strict';
// How the live page looks: folded, presented, saved, and to those who do not see it.
const assert = require('assert');
const {folder, address, open, updated, text, step} = require('./page.js');

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
  assert.match(await text(other, 'difference'), /First different value: lane 2/);
  assert.deepEqual([...page.faults, ...other.faults], []);
  await other.close();
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

module.exports = {saves, folds, presents, looks};
