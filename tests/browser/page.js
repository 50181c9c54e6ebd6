'use strict';
// What all parts use: pages that fail if they load anything from elsewhere, and what they show.
const [folder, address] = process.argv.slice(2);

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

const problem = (page) => page.waitForFunction(() => document.getElementById('problem').innerText);

const valueOf = (page, id) => page.locator(`#${id}`).inputValue();

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

/** What a link of the page stands for. */
const linkOf = (experiment) => `#z.${require('zlib').deflateRawSync(JSON.stringify(experiment)).toString('base64url')}`;

module.exports = {folder, address, open, updated, text, step, problem, valueOf, setSource, shader, linkOf};
