// Runs prefix_sum.wgsl on the machine's GPU through WebGPU, and saves what it wrote.
//
// usage: node webgpu_capture.mjs [FOLDER]        after: npm install webgpu
// FOLDER has values.npy, and gets sums.npy; the default is the folder of this file. In a browser, the middle part is the same.

import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {create, globals} from 'webgpu';

Object.assign(globalThis, globals);
const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? here;

// ---- .npy: a magic number, a version, the length of the header, the header, then the numbers ----

function readFloats(path) {
  const bytes = readFileSync(path);
  const start = 10 + bytes.readUInt16LE(8);
  if (!bytes.toString('latin1', 10, start).includes("'<f4'")) throw new Error(`${path}: has no 32-bit floats`);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
}

function writeFloats(path, floats) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${floats.length},), }`.padEnd(117) + '\n';
  const start = Buffer.from('\x93NUMPY\x01\x00', 'latin1');
  const length = Buffer.from([header.length % 256, header.length >> 8]);
  writeFileSync(`${path}.new`, Buffer.concat([start, length, Buffer.from(header), Buffer.from(floats.buffer)]));
  renameSync(`${path}.new`, path);
}

// ---- WebGPU ----

const values = readFloats(join(folder, 'values.npy'));
globalThis.gpu = create([]);  // must outlive what it makes
const adapter = await globalThis.gpu.requestAdapter();
if (!adapter) throw new Error('there is no adapter for WebGPU');
const device = await adapter.requestDevice();
const {STORAGE, COPY_DST, COPY_SRC, MAP_READ} = GPUBufferUsage;
const input = device.createBuffer({size: values.byteLength, usage: STORAGE | COPY_DST});
const output = device.createBuffer({size: values.byteLength, usage: STORAGE | COPY_SRC});
const readable = device.createBuffer({size: values.byteLength, usage: COPY_DST | MAP_READ});
device.queue.writeBuffer(input, 0, values);

const module = device.createShaderModule({code: readFileSync(join(here, 'prefix_sum.wgsl'), 'utf8')});
const pipeline = device.createComputePipeline({layout: 'auto', compute: {module}});
const entries = [input, output].map((buffer, binding) => ({binding, resource: {buffer}}));
const group = device.createBindGroup({layout: pipeline.getBindGroupLayout(0), entries});

const commands = device.createCommandEncoder();
const pass = commands.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(values.length / 256);
pass.end();
commands.copyBufferToBuffer(output, 0, readable, 0, values.byteLength);
device.queue.submit([commands.finish()]);
await readable.mapAsync(GPUMapMode.READ);
writeFloats(join(folder, 'sums.npy'), new Float32Array(readable.getMappedRange().slice(0)));
console.log(`sums.npy: ${adapter.info.vendor} ${adapter.info.architecture} ${adapter.info.description}`);
readable.unmap();
device.destroy();
process.exit();  // Node.js would go on as long as the GPU exists
