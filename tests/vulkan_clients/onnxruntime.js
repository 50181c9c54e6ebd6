// Operators of ONNX Runtime on its WebGPU provider, which is Dawn, compared with its CPU provider. usage: node onnxruntime.js
const ort = require('onnxruntime-node');

// ---- A model of one operator, in the wire format of protocol buffers ----

const varint = (value) => {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
};
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => {
  const data = Buffer.isBuffer(value) ? value : Buffer.from(value);
  return Buffer.concat([varint(field << 3 | 2), varint(data.length), data]);
};
const message = (...fields) => Buffer.concat(fields);

const float32 = 1;
const valueInfo = (name, shape) => message(bytes(1, name), bytes(2, bytes(1, message(
  number(1, float32), bytes(2, message(...shape.map((size) => bytes(1, number(1, size)))))))));
const integers = 7, integer = 2;
const attribute = (name, value) => Array.isArray(value)
  ? message(bytes(1, name), ...value.map((one) => number(8, one)), number(20, integers))
  : message(bytes(1, name), number(3, value), number(20, integer));

function modelOf({ operator, inputs, output, attributes = {} }) {
  const names = inputs.map((_, k) => `x${k}`);
  const node = message(...names.map((name) => bytes(1, name)), bytes(2, 'y'), bytes(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))));
  const graph = message(bytes(1, node), bytes(2, 'graph'),
    ...inputs.map((shape, k) => bytes(11, valueInfo(names[k], shape))), bytes(12, valueInfo('y', output)));
  return message(number(1, 8), bytes(7, graph), bytes(8, number(2, 17)));
}

// ---- The operators ----

const operators = [
  { operator: 'MatMul', inputs: [[33, 65], [65, 17]], output: [33, 17] },
  { operator: 'Softmax', inputs: [[7, 129]], output: [7, 129], attributes: { axis: -1 } },
  { operator: 'LayerNormalization', inputs: [[5, 96], [96], [96]], output: [5, 96], attributes: { axis: -1 } },
  { operator: 'Conv', inputs: [[1, 3, 12, 12], [8, 3, 3, 3], [8]], output: [1, 8, 12, 12],
    attributes: { pads: [1, 1, 1, 1], kernel_shape: [3, 3] } },
];

const count = (shape) => shape.reduce((a, b) => a * b);
const values = (shape, seed) => Float32Array.from({ length: count(shape) }, (_, k) => ((k * 37 + seed * 11) % 101 - 50) / 50);

async function resultOf(operator, provider) {
  const session = await ort.InferenceSession.create(modelOf(operator), { executionProviders: [provider] });
  const feeds = {};
  operator.inputs.forEach((shape, k) => { feeds[`x${k}`] = new ort.Tensor('float32', values(shape, k), shape); });
  return (await session.run(feeds)).y.data;
}

async function main() {
  for (const operator of operators) {
    const expected = await resultOf(operator, 'cpu');
    const seen = await resultOf(operator, 'webgpu');
    let difference = 0;
    expected.forEach((value, k) => { difference = Math.max(difference, Math.abs(value - seen[k])); });
    if (seen.length !== count(operator.output) || !(difference <= 1e-4))
      throw new Error(`${operator.operator}: off by ${difference}`);
  }
  console.log(`ONNX Runtime: ${operators.map(({ operator }) => operator).join(', ')}`);
}

main().then(() => process.exit(0), (error) => { console.error(`onnxruntime: ${error.message}`); process.exit(1); });
