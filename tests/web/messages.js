'use strict';
// What both engines are asked: built-ins, kernels, lessons' answers, and shaders with a bug and without.
const fs = require('fs');
const path = require('path');

const tests = path.join(__dirname, '..');
const sizes = [1, 3, 8, 24, 32, 33, 64, 128];
const shadersIn = (folder) => fs.readdirSync(path.join(tests, folder)).filter((name) => name.endsWith('.comp')).sort()
    .map((name) => ({name, source: fs.readFileSync(path.join(tests, folder, name), 'utf8')}));

/** Every built-in and topic, each built-in at every size, with all lanes active and with some. */
function* explained(index) {
  yield {ask: 'explain'};
  for (const {name} of index.topics) yield {ask: 'explain', name};
  for (const {name} of index.built_ins)
    for (const size of sizes)
      for (const active of ['', size > 2 ? `0,2-${size - 1}` : '0']) yield {ask: 'explain', name, size, active};
}

/** Every kernel and every lesson's shader, with what the page shows, finds and lists of it. */
function* examples(choices) {
  yield {ask: 'choices', wgsl: true};
  for (const {experiment} of choices.examples) {
    yield {ask: 'inspect', ...experiment};
    for (const size of sizes) {
      yield {ask: 'trace', ...experiment, size, subgroup: 'all'};
      yield {ask: 'check', ...experiment, size, beside: undefined};
    }
    yield {ask: 'trace', ...experiment, size: 16, rule: 'core', choose: 'random:1', groups: '2'};
    yield {ask: 'explore', source: experiment.source, size: 8, runs: 12};
  }
}

/** Shaders of which each computes with functions of numbers, on many numbers. */
function* functions() {
  for (const {source} of shadersIn('web')) {
    for (const numbers of ['0=random:f32:1024:1:-4:4', '0=random:f32:1024:2:0:1e30', '0=iota:u32:1024'])
      yield {ask: 'trace', source, size: 32, groups: '4', buffers: [numbers]};
  }
}

function* lessons() {
  yield {ask: 'lesson'};
  for (let number = 1; number <= 16; ++number) yield {ask: 'lesson', number};
  for (const {name, source} of shadersIn('lessons/answers')) yield {ask: 'lesson', number: parseInt(name, 10), answer: source};
}

/** As tests/bugs/bugs.cpp runs them. */
function* bugs() {
  const buffers = [...Array(8).keys()].map((binding) => `${binding}=iota:u32:1024`);
  for (const {source} of shadersIn('bugs')) {
    const size = Number(/^\/\/ SIZE (\d+)/m.exec(source)?.[1] ?? 32);
    yield {ask: 'check', source, size, groups: '4', buffers};
  }
}

/** What is no message, and shaders that do not compile, do not end or nest too deeply. */
function* mistakes() {
  const shader = (body) => `#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\nvoid main() {\n${body}\n}\n`;
  yield {};
  yield {ask: 'nothing'};
  yield {ask: 'trace', sizes: 8};
  yield {ask: 'trace', source: shader('data[0] = nonsense;')};
  yield {ask: 'trace', source: shader('while (data[0] == 0u) data[1] = 0u;')};
  yield {ask: 'trace', source: shader('data[0] = 1u;'), buffers: ['0=/etc/hostname']};
  yield {ask: 'trace', source: '#version 450\n#include "a.glsl"\nvoid main() {}'};
  yield {ask: 'trace', language: 'hlsl', source: 'RWStructuredBuffer<uint> b; [numthreads(8, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { b[i.x] = WaveActiveSum(i.x); }'};
  yield {ask: 'trace', language: 'slang', source: '[numthreads(8, 1, 1)] void main() {}'};
}

/** WGSL that naga compiles, with and without the directive that it refuses, and WGSL that it does not compile. */
function* wgsl() {
  const shader = (body, start = '') => `${start}@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n@compute @workgroup_size(8)\n` +
      `fn add(@builtin(global_invocation_id) id: vec3<u32>) {\n${body}\n}\n`;
  const body = 'var value = id.x; if (value % 2u == 0u) { value = subgroupAdd(value); } data[id.x] = value;';
  for (const start of ['', 'enable subgroups;\n', '// enable subgroups;\n/* enable subgroups; */ enable subgroups ;\n'])
    for (const ask of ['trace', 'check', 'explore', 'inspect', 'page']) yield {ask, language: 'wgsl', source: shader(body, start), size: 4};
  yield {ask: 'trace', language: 'wgsl', source: shader('  data[id.x] = nonsense;')};
  yield {ask: 'trace', language: 'wgsl', source: shader('  data[id.x] = nonsense;', 'enable subgroups;\n')};
  yield {ask: 'trace', language: 'wgsl', source: shader('  return 1u;')};
  yield {ask: 'trace', language: 'wgsl', source: 'enable nothing;'};
  yield {ask: 'trace', language: 'wgsl', source: 'fn main() {'};
  yield {ask: 'trace', language: 'wgsl', source: ''};
  yield {ask: 'trace', language: 'wgsl'};
}

/** The messages by what they are about. `ask` is one of the engines. */
exports.all = (ask) => ({
  'built-ins': [...explained(ask({ask: 'explain'}))],
  'kernels and lessons': [...examples(ask({ask: 'choices'}))],
  'functions of numbers': [...functions()],
  'answers to lessons': [...lessons()],
  'bugs': [...bugs()],
  'WGSL': [...wgsl()],
  'mistakes': [...mistakes()],
});
