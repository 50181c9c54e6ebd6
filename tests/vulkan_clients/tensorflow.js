// Operations of TensorFlow.js on Dawn, compared with its own backend in JavaScript. usage: node tensorflow.js
const { create, globals } = require('webgpu');
const gpu = create(['backend=vulkan', 'adapter=Lockstep']);
Object.assign(globalThis, globals, { navigator: undefined });
Object.defineProperty(globalThis, 'navigator', { value: { gpu, userAgent: '' }, configurable: true });
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
require('@tensorflow/tfjs-backend-webgpu');

const values = (shape, scale) => tf.tensor(
  Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, k) => ((k * 37) % 101 - 50) / scale), shape);

const operations = {
  matMul: () => tf.matMul(values([33, 65], 50), values([65, 17], 50)),
  softmax: () => tf.softmax(values([8, 100], 10)),
  sum: () => tf.sum(values([40, 300], 50), 1),
  argMax: () => tf.argMax(values([5, 77], 1), 1),
  cumsum: () => tf.cumsum(values([3, 150], 50), 1),
  conv2d: () => tf.conv2d(values([1, 16, 16, 3], 50), values([3, 3, 3, 8], 50), 1, 'same'),
  maxPool: () => tf.maxPool(values([1, 16, 16, 4], 50), 2, 2, 'valid'),
  transpose: () => tf.transpose(values([9, 31], 50)),
};

async function resultsOn(backend) {
  if (!await tf.setBackend(backend)) throw new Error(`no backend ${backend}`);
  const results = {};
  for (const [name, operation] of Object.entries(operations)) results[name] = await operation().data();
  return results;
}

async function main() {
  const adapter = await gpu.requestAdapter();
  if (!adapter || !/Lockstep/.test(`${adapter.info.device} ${adapter.info.description}`))
    throw new Error('another adapter');
  const expected = await resultsOn('cpu');
  const seen = await resultsOn('webgpu');
  for (const name of Object.keys(operations)) {
    let difference = 0, largest = 0;
    expected[name].forEach((value, k) => {
      difference = Math.max(difference, Math.abs(value - seen[name][k]));
      largest = Math.max(largest, Math.abs(value));
    });
    if (!(difference <= 1e-5 * Math.max(largest, 1))) throw new Error(`${name}: off by ${difference}`);
  }
  console.log(`TensorFlow.js: ${Object.keys(operations).join(', ')}`);
}

main().then(() => process.exit(0), (error) => { console.error(`tensorflow: ${error.message}`); process.exit(1); });
