'use strict';
// usage: node compare.js PROGRAM FOLDER [EVERY]: asks the program and the engine of the page in the folder every message, or every
// so many, and compares the answers. In PATH is the page's naga.
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const {spawn} = require('child_process');

const [program, page, every = 1] = process.argv.slice(2);
const {engineWith} = require(path.join(page, 'engine.js'));
const script = fs.readFileSync(path.join(page, 'lockstep.wasm.js'), 'utf8');
const unpacked = (letters) => new WebAssembly.Module(zlib.gunzipSync(Buffer.from(letters, 'base64')));
const {lockstepNaga, nagaModule} = new Function(`${fs.readFileSync(path.join(page, 'naga.js'), 'utf8')}; return {lockstepNaga, nagaModule};`)();
const Engine = engineWith(lockstepNaga);
const engine = new Engine(unpacked(/lockstepModule = '([^']*)'/.exec(script)[1]), unpacked(nagaModule));

/** The program's answer, as text: each in a process of its own, as a server has it. */
const native = (text) => new Promise((resolve, reject) => {
  const child = spawn(program, ['serve', '--worker'], {stdio: ['pipe', 'pipe', 'inherit']});
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  child.on('error', reject);
  child.on('close', (code) => code === 0 ? resolve(Buffer.concat(parts).toString()) : reject(new Error(`it ended with ${code}: ${text.slice(0, 400)}`)));
  child.stdin.end(text);
});

/** Calls f for each item, several at once. */
async function forAll(items, f) {
  let next = 0;
  const go = async () => { while (next < items.length) await f(items[next++]); };
  await Promise.all(Array.from({length: os.cpus().length}, go));
}

(async () => {
  const all = require('./messages.js').all((message) => JSON.parse(engine.ask(JSON.stringify(message))));
  for (const [what, listed] of Object.entries(all)) {
    const messages = listed.filter((_, k) => k % every === 0);
    assert(listed.length > 2, what);
    const start = performance.now();
    let inWasm = 0, longest = 0, different = 0, errors = 0;
    await forAll(messages, async (message) => {
      const text = JSON.stringify(message), expected = await native(text);
      const began = performance.now(), answer = engine.ask(text), took = performance.now() - began;
      inWasm += took;
      longest = Math.max(longest, took);
      errors += answer.startsWith('{"error"');
      if (answer === expected) return;
      if (++different > 3) return;
      const at = [...answer].findIndex((letter, k) => letter !== expected[k]);
      const around = (given) => given.slice(Math.max(0, at - 80), at + 160);
      console.error(`${text.slice(0, 600)}\n  natively:      ...${around(expected)}\n  as WebAssembly: ...${around(answer)}`);
      process.exitCode = 1;
    });
    console.log(`${what}: ${messages.length} messages, ${different} answered differently, ${errors} with errors; as WebAssembly ` +
                `${(inWasm / messages.length).toFixed(1)} ms each, at most ${longest.toFixed(0)}; in all ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
})();
