// A shader in WGSL, compared with a loop: on Dawn with Node.js, on wgpu with Deno.
// usage: node webgpu.mjs SUBGROUP_SIZE, or deno run -A webgpu.mjs SUBGROUP_SIZE

const isDeno = typeof Deno !== 'undefined';
const size = Number(isDeno ? Deno.args[0] : process.argv[2]);

async function findGpu() {
  if (isDeno) return navigator.gpu;
  const { createRequire } = await import('node:module');
  const { create, globals } = createRequire(import.meta.url)('webgpu');  // found through NODE_PATH
  Object.assign(globalThis, globals);
  globalThis.gpu = create(['backend=vulkan', 'adapter=Lockstep']);  // must outlive what it makes
  return globalThis.gpu;
}

function require(holds, what) {
  if (!holds) throw new Error(what);
}

async function openDevice(gpu) {
  const adapter = await gpu.requestAdapter();
  require(adapter, 'no adapter');
  const info = adapter.info;
  const name = `${info.device} ${info.description} ${info.vendor}`;
  require(/Lockstep/.test(name), `another adapter: ${name}`);
  require(info.subgroupMaxSize === size, `subgroups of ${info.subgroupMaxSize}, not ${size}`);
  // Deno 2.9 has them not yet.
  const requiredFeatures = ['subgroups'].filter((feature) => adapter.features.has(feature));
  require(requiredFeatures.length === 1 || isDeno, 'no subgroups');
  return adapter.requestDevice({ requiredFeatures });
}

const count = 1024;
const bindings = `
  @group(0) @binding(0) var<storage, read> a: array<u32>;
  @group(0) @binding(1) var<storage, read_write> b: array<u32>;`;
const sumsOfSubgroups = `enable subgroups;${bindings}
  @compute @workgroup_size(128)
  fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_size) size: u32) {
    b[id.x] = subgroupInclusiveAdd(a[id.x]);
    if (id.x == 0) { b[${count}] = size; }
  }`;
// The same sums in shared memory.
const sumsOfWorkgroups = `${bindings}
  var<workgroup> sums: array<u32, 128>;
  @compute @workgroup_size(128)
  fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) k: u32) {
    sums[k] = a[id.x];
    for (var step = 1u; step < ${size}u; step *= 2) {
      workgroupBarrier();
      let other = select(0u, sums[max(k, step) - step], k % ${size}u >= step);
      workgroupBarrier();
      sums[k] += other;
    }
    b[id.x] = sums[k];
    if (id.x == 0) { b[${count}] = ${size}u; }
  }`;

async function run(device, input) {
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const bytes = 4 * count + 4;
  const from = device.createBuffer({ size: 4 * count, usage: STORAGE | COPY_DST });
  const to = device.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC });
  const read = device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(from, 0, input);
  const code = device.features.has('subgroups') ? sumsOfSubgroups : sumsOfWorkgroups;
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [
    { binding: 0, resource: { buffer: from } }, { binding: 1, resource: { buffer: to } }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(count / 128);
  pass.end();
  encoder.copyBufferToBuffer(to, 0, read, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  return new Uint32Array(read.getMappedRange());
}

async function main() {
  const device = await openDevice(await findGpu());
  let failure = null;
  device.addEventListener('uncapturederror', (event) => { failure = event.error.message; });
  const input = Uint32Array.from({ length: count }, (_, k) => (k * 7) % 13);
  const output = await run(device, input);
  require(failure === null, failure);
  require(output[count] === size, `subgroups of ${output[count]}, not ${size}`);
  for (let k = 0, sum = 0; k < count; ++k) {
    sum = (k % size === 0 ? 0 : sum) + input[k];
    require(output[k] === sum, `element ${k} is ${output[k]}, not ${sum}`);
  }
  console.log(`${isDeno ? 'wgpu' : 'Dawn'}: ${count} sums in subgroups of ${size}`);
}

const exit = isDeno ? Deno.exit : process.exit;
main().then(() => exit(0), (error) => { console.error(`webgpu: ${error.message}`); exit(1); });
