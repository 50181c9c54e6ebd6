#include <lockstep/spirv/pipeline.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

template <class T>
std::span<const std::byte> bytes_of_value(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// Loops that differ between lanes, shared memory, barriers, subgroup operations and atomics. Each workgroup
/// reverses the steps of its numbers and adds them up.
constexpr const char* busy = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 3u;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
layout(set = 1, binding = 0) buffer Sum { uint total; };
layout(push_constant) uniform Push { uint limit; };
shared uint steps[64];
void main() {
  uint n = values[gl_GlobalInvocationID.x], count = 0u;
  while (n > 1u && count < limit) {
    n = n % 2u == 0u ? n / 2u : factor * n + 1u;
    ++count;
  }
  steps[gl_LocalInvocationIndex] = count;
  barrier();
  results[gl_GlobalInvocationID.x] = steps[gl_WorkGroupSize.x - 1u - gl_LocalInvocationIndex];
  uint sum = subgroupAdd(count);
  if (subgroupElect()) atomicAdd(total, sum);
})";

struct Expected {
  std::vector<Uint> results;
  Uint total = 0;
};
Expected expect_busy(const std::vector<Uint>& values, Uint local, Uint factor, Uint limit) {
  std::vector<Uint> steps;
  for (Uint n : values) {
    Uint count = 0;
    for (; n > 1 && count < limit; ++count) n = n % 2 == 0 ? n / 2 : factor * n + 1;
    steps.push_back(count);
  }
  Expected e;
  for (std::size_t i = 0; i < steps.size(); ++i)
    e.results.push_back(steps[i / local * local + local - 1 - i % local]);
  e.total = std::accumulate(steps.begin(), steps.end(), 0u);
  return e;
}

std::vector<Uint> numbers(std::size_t count, Uint seed) {
  std::vector<Uint> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = (static_cast<Uint>(i) + seed) * 2654435761u >> 20;
  return values;
}

constexpr const char* copy = R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
void main() { results[gl_GlobalInvocationID.x] = values[gl_GlobalInvocationID.x] + 1u; })";

}  // namespace

TEST_CASE("one module makes pipelines of several specializations and sizes") {
  const Module module = Module::from_glsl(busy);
  const std::vector<Uint> in = numbers(128, 5);
  for (const Uint local : {16u, 64u}) {
    for (const Uint factor : {3u, 5u}) {
      const Pipeline first(module, {.specialization = {{0, local}, {1, factor}}});
      CHECK(first.subgroup_size() == 32);
      CHECK(first.interface().local_size == Size3{local, 1, 1});
      for (const int size : test::few_sizes) {
        const Pipeline pipeline = first.at_subgroup_size(size);
        CHECK(pipeline.subgroup_size() == size);
        std::vector<Uint> out(128), total(1);
        DescriptorTable table;
        table.bind(0, in).bind(1, out).bind(1, 0, total);
        const Uint limit = 40;
        const auto run = pipeline.dispatch(
            table, {.workgroups = {128 / local}, .push_constants = bytes_of_value(limit)});
        CHECK(run.faults == 0);
        const Expected e = expect_busy(in, local, factor, limit);
        CHECK(out == e.results);
        CHECK(total[0] == e.total);
      }
    }
  }
}

namespace {

constexpr const char* every_type = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 9) const bool b = false;
layout(constant_id = 2) const int i = -5;
layout(constant_id = 3) const uint u = 6u;
layout(constant_id = 4) const float f = 1.5;
layout(constant_id = 5) const double d = 2.5;
layout(constant_id = 6) const int64_t l = -7l;
layout(constant_id = 7) const uint64_t ul = 8ul;
layout(set = 0, binding = 0) buffer Out { uint64_t all[8]; };
void main() {
  all[0] = uint64_t(b ? 1u : 0u);
  all[1] = uint64_t(uint(i));
  all[2] = uint64_t(u);
  all[3] = uint64_t(floatBitsToUint(f));
  all[4] = doubleBitsToUint64(d);
  all[5] = uint64_t(l);
  all[6] = ul;
})";

template <class T>
SpecConstant of_bytes(T value) {
  return SpecConstant::from_bytes(bytes_of_value(value));
}

std::vector<std::uint64_t> run_every_type(
    const Module& module, const std::map<std::uint32_t, SpecConstant>& specialization) {
  std::vector<std::uint64_t> out(8);
  const Pipeline pipeline(module, {.specialization = specialization, .subgroup_size = 8});
  CHECK(pipeline.dispatch(DescriptorTable().bind(0, out)).faults == 0);
  return out;
}

}  // namespace

TEST_CASE("specialization constants of every type keep their bits") {
  const Module module = Module::from_glsl(every_type);
  const std::vector<std::uint64_t> without = run_every_type(module, {});
  CHECK(without == std::vector<std::uint64_t>{0, 0xfffffffb, 6, 0x3fc00000, 0x4004000000000000,
                                              ~std::uint64_t{6}, 8, 0});
  // None of these 64-bit numbers is a double, and the NaNs keep their payloads.
  const std::map<std::uint32_t, SpecConstant> chosen{
      {9, of_bytes(Uint{1})},
      {2, of_bytes(-2147483647)},
      {3, of_bytes(0xfffffffeu)},
      {4, of_bytes(Uint{0x7fc12345})},
      {5, of_bytes(std::uint64_t{0x7ff8123456789abc})},
      {6, of_bytes(std::int64_t{-9007199254740993})},
      {7, of_bytes(std::uint64_t{0xfffffffffffffffd})},
      {1234, of_bytes(1u)}};  // the module has none of that id
  CHECK(run_every_type(module, chosen) ==
        std::vector<std::uint64_t>{1, 0x80000001, 0xfffffffe, 0x7fc12345, 0x7ff8123456789abc,
                                   static_cast<std::uint64_t>(std::int64_t{-9007199254740993}),
                                   0xfffffffffffffffd, 0});
}

TEST_CASE("the error for a specialization constant of another size has its id and name") {
  const Module module = Module::from_glsl(every_type, {}, "every.comp");
  CHECK_THROWS_WITH(
      run_every_type(module, {{5, of_bytes(0.5f)}}),
      "every.comp: specialization constant 5 (d) has 8 bytes, but 4 are given: give as many "
      "as its type has");
  CHECK_THROWS_WITH(run_every_type(module, {{9, of_bytes(std::uint8_t{1})}}),
                    Catch::Contains("constant 9 (b) has 4 bytes, but 1 are given"));
}

TEST_CASE("several threads dispatch one pipeline at once, each on its own memory") {
  const Pipeline pipeline(Module::from_glsl(busy),
                          {.specialization = {{0, 32u}}, .subgroup_size = 16});
  constexpr int thread_count = 4, rounds = 12;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (Uint t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      const Pipeline mine = pipeline;
      Chooser chooser = Chooser::rejoin_all();
      const Convergence convergence{.rule = Rule::subgroup_uniform, .chooser = &chooser};
      for (Uint round = 0; round < rounds; ++round) {
        const Uint groups = 1 + (t + round) % 4, limit = 20 + t + round;
        const std::vector<Uint> in = numbers(groups * 32, t * 100 + round);
        std::vector<Uint> out(groups * 32), total(1);
        DescriptorTable table;
        table.bind(0, in).bind(1, out).bind(1, 0, total);
        // Also programs that are made by the first thread that wants them.
        Dispatch dispatch{.workgroups = {groups}, .push_constants = bytes_of_value(limit)};
        dispatch.threads = static_cast<int>(round % 2);
        if (round % 4 == 3) dispatch.convergence = &convergence;
        const auto run = mine.dispatch(table, dispatch);
        const Expected e = expect_busy(in, 32, 3, limit);
        if (run.faults != 0 || out != e.results || total[0] != e.total) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("descriptors that are bound once serve any number of dispatches, also at once") {
  const Pipeline pipeline(Module::from_glsl(busy),
                          {.specialization = {{0, 32u}}, .subgroup_size = 16});
  const std::vector<Uint> in = numbers(128, 5);
  std::vector<Uint> out(128), total(1);
  DescriptorTable table;
  table.bind(0, in).bind(1, out).bind(1, 0, total);
  const BoundDescriptors bound = pipeline.bind(table);
  table = {};  // nothing of it is kept
  Chooser chooser = Chooser::rejoin_all();
  const Convergence convergence{.rule = Rule::subgroup_uniform, .chooser = &chooser};
  // With one thread and with several, which have shared memory and sums of their own; other push constants; checked.
  for (Uint round = 0; round < 12; ++round) {
    const Uint limit = 10 + round;
    total[0] = 0;
    std::ranges::fill(out, 0u);
    Dispatch dispatch{.workgroups = {4}, .push_constants = bytes_of_value(limit)};
    dispatch.threads = static_cast<int>(round % 3);
    if (round % 4 == 3) dispatch.convergence = &convergence;
    if (round % 4 == 2) dispatch.checks = basic_checks();
    const auto run = pipeline.dispatch(bound, dispatch);
    const Expected e = expect_busy(in, 32, 3, limit);
    CHECK(run.faults == 0);
    CHECK(out == e.results);
    CHECK(total[0] == e.total);
  }
  // All add to one sum.
  total[0] = 0;
  const Uint limit = 30;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        Dispatch dispatch{.workgroups = {4}, .push_constants = bytes_of_value(limit)};
        AddressSpace addresses;
        dispatch.addresses = &addresses;
        pipeline.dispatch(bound, dispatch);
      }
    });
  for (std::thread& t : threads) t.join();
  const Expected e = expect_busy(in, 32, 3, limit);
  CHECK(out == e.results);
  CHECK(total[0] == 20 * e.total);
  const Pipeline other(Module::from_glsl(busy), {.specialization = {{0, 32u}}});
  CHECK_THROWS_WITH(other.dispatch(bound),
                    "descriptors are bound for another pipeline: bind them for this one");
}

TEST_CASE("several threads make pipelines of one module and of one pipeline at once") {
  const Module module = Module::from_glsl(busy);
  const Pipeline base(module, {.specialization = {{0, 16u}}});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (const int size : {1, 8, 32, 100}) {
    threads.emplace_back([&, size] {
      const std::vector<Uint> in = numbers(32, static_cast<Uint>(size));
      const Expected e = expect_busy(in, 16, 3, 30);
      for (const Pipeline& pipeline :
           {Pipeline(module, {.specialization = {{0, 16u}}, .subgroup_size = size}),
            base.at_subgroup_size(size)}) {
        std::vector<Uint> out(32), total(1);
        DescriptorTable table;
        table.bind(0, in).bind(1, out).bind(1, 0, total);
        const Uint limit = 30;
        pipeline.dispatch(table, {.workgroups = {2}, .push_constants = bytes_of_value(limit)});
        if (out != e.results || total[0] != e.total) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("groups start at a base") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
layout(local_size_x = 2, local_size_y = 2) in;
layout(set = 0, binding = 0) buffer Out { uint seen[]; };
void main() {
  uvec3 id = gl_WorkGroupID;
  uint at = (id.z * 8u + id.y) * 8u + id.x;
  if (gl_LocalInvocationIndex == 0u) atomicAdd(seen[at], 1u);
  if (gl_GlobalInvocationID == id * gl_WorkGroupSize + gl_LocalInvocationID)
    atomicAdd(seen[at], 10u);
  if (gl_NumWorkGroups == uvec3(3, 2, 2)) atomicAdd(seen[at], 1000u);
})"));
  for (const int threads : {1, 0}) {
    for (const bool observed : {false, true}) {
      std::vector<Uint> seen(8 * 8 * 8);
      DescriptorTable table;
      table.bind(0, seen);
      Chooser chooser = Chooser::rejoin_all();
      const Convergence convergence{.chooser = &chooser};
      const Pipeline small = pipeline.at_subgroup_size(4);
      small.dispatch(table, {.workgroups = {3, 2, 2},
                             .base = {2, 5, 1},
                             .threads = threads,
                             .convergence = observed ? &convergence : nullptr});
      for (Uint z = 0; z < 8; ++z) {
        for (Uint y = 0; y < 8; ++y) {
          for (Uint x = 0; x < 8; ++x) {
            const bool inside = x >= 2 && x < 5 && y >= 5 && y < 7 && z >= 1 && z < 3;
            REQUIRE(seen[(z * 8 + y) * 8 + x] == (inside ? 1 + 4 * 10 + 4 * 1000 : 0));
          }
        }
      }
    }
  }
}

TEST_CASE("base and number of groups may reach the largest id but not exceed it") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint last; uint sum; };
void main() { atomicMax(last, gl_WorkGroupID.y); atomicAdd(sum, 1u); })"));
  std::vector<Uint> out(2);
  DescriptorTable table;
  table.bind(0, out);
  pipeline.dispatch(table, {.workgroups = {1, 3, 1}, .base = {0, 0xfffffffcu, 0}});
  CHECK(out == std::vector<Uint>{0xfffffffe, 3});
  CHECK_THROWS_WITH(
      pipeline.dispatch(table, {.workgroups = {1, 3, 1}, .base = {0, 0xfffffffdu, 0}}),
      "3 workgroups in y from 4294967293 on are too many: the last one's number is beyond 32 bits");
}

TEST_CASE("ranges and dynamic offsets choose a part of a buffer") {
  const Pipeline pipeline(Module::from_glsl(copy), {.subgroup_size = 4});
  std::vector<Uint> buffer(64);
  std::iota(buffer.begin(), buffer.end(), 100u);
  const auto bytes = std::as_writable_bytes(std::span(buffer));
  DescriptorSet set;
  set.bind_range(0, bytes, 4 * 4, 8 * 4).bind_range(1, bytes, 32 * 4);
  DescriptorTable table;
  table.use(0, set);
  CHECK(pipeline.dispatch(table, {.workgroups = {2}}).faults == 0);
  for (Uint i = 0; i < 8; ++i) REQUIRE(buffer[32 + i] == 104 + i + 1);
  // The range moves; with three workgroups it is too short for reads.
  table.offset(0, 0, 8 * 4).offset(0, 1, 16 * 4);
  CHECK(pipeline.dispatch(table, {.workgroups = {3}, .threads = 1}).faults == 4);
  for (Uint i = 0; i < 12; ++i) REQUIRE(buffer[48 + i] == (i < 8 ? 112 + i + 1 : 1));
  // A whole range ends where the buffer does.
  table.use(0, set).offset(0, 1, 31 * 4);
  CHECK(pipeline.dispatch(table, {.workgroups = {1}, .threads = 1}).faults == 3);
  CHECK(buffer[63] == 105);
  table.offset(0, 1, 33 * 4);
  CHECK_THROWS_WITH(pipeline.dispatch(table, {}),
                    "shader.comp: set 0, binding 1 (Out) begins at byte 260 of a buffer of 256 "
                    "bytes: it must begin inside");
}

TEST_CASE("a descriptor table is updated between dispatches of one pipeline") {
  const Pipeline pipeline(Module::from_glsl(copy), {.subgroup_size = 8});
  DescriptorSet set;
  DescriptorTable table;
  table.use(0, set);
  for (Uint k = 0; k < 5; ++k) {
    const std::vector<Uint> in(8, k);
    std::vector<Uint> out(8);
    set.bind(0, in).bind(1, out);
    pipeline.dispatch(table, {.workgroups = {2}});
    CHECK(out == std::vector<Uint>(8, k + 1));
  }
}

TEST_CASE("null descriptors read zero and take no writes") {
  const Pipeline pipeline(Module::from_glsl(copy), {.subgroup_size = 4});
  std::vector<Uint> out(4, 9);
  DescriptorTable table;
  table.set(0).bind(1, out).bind_null(0);
  CHECK(pipeline.dispatch(table).faults == 0);
  CHECK(out == std::vector<Uint>(4, 1));
  table.set(0).bind(0, out).bind_null(1);
  CHECK(pipeline.dispatch(table).faults == 0);
  const Pipeline images(Module::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
layout(set = 0, binding = 1) buffer Out { uint results[]; };
void main() {
  imageStore(image, ivec2(gl_LocalInvocationIndex, 0), uvec4(5u));
  results[gl_LocalInvocationIndex] =
      imageLoad(image, ivec2(gl_LocalInvocationIndex, 0)).x + uint(imageSize(image).x);
})"));
  table.set(0).bind_null(0).bind(1, out);
  CHECK(images.dispatch(table).faults == 0);
  CHECK(out == std::vector<Uint>(4, 0));
  const Pipeline samples(Module::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) buffer Out { uint results[]; };
void main() { results[gl_LocalInvocationIndex] = uint(texture(image, vec2(0)).x); })"));
  out.assign(4, 9);
  table.set(0).bind_null(0).bind(1, out);
  const auto run = samples.dispatch(table, {.partially_bound = true});
  CHECK(run.faults == 0);
  CHECK(out == std::vector<Uint>(4, 0));
}

TEST_CASE("descriptors may be missing if the dispatch allows it") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Many { uint v[]; } many[4];
layout(set = 0, binding = 1) buffer Out { uint results[]; };
layout(set = 0, binding = 2) uniform sampler2D unused;
layout(push_constant) uniform Push { uint first; uint look; };
void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = many[nonuniformEXT((first + i) % 4u)].v[0];
  if (look != 0u) results[i] += uint(texture(unused, vec2(0)).x);
})"));
  std::vector<Uint> one{1}, three{3}, out(4);
  DescriptorTable table;
  const auto element = [](std::vector<Uint>& v) { return std::as_writable_bytes(std::span(v)); };
  table.set(0).bind_bytes(0, element(one), 1).bind_bytes(0, element(three), 3).bind(1, out);
  const Uint push[] = {0, 0};
  Dispatch dispatch{.push_constants = std::as_bytes(std::span(push)), .threads = 1};
  CHECK_THROWS_WITH(pipeline.dispatch(table, dispatch),
                    Catch::Contains("nothing is bound to set 0, binding 0 (many)"));
  dispatch.partially_bound = true;
  CHECK(pipeline.dispatch(table, dispatch).faults == 2);
  CHECK(out == std::vector<Uint>{0, 1, 0, 3});
  const Uint looks[] = {1, 1};
  dispatch.push_constants = std::as_bytes(std::span(looks));
  CHECK(pipeline.dispatch(table, dispatch).faults == 2 + 4);
  CHECK(out == std::vector<Uint>{1, 0, 3, 0});
}

TEST_CASE("a robust pipeline records no faults for accesses out of bounds") {
  const Module module = Module::from_glsl(copy);
  const std::vector<Uint> in{10, 20, 30, 40, 50};
  for (const bool robust : {false, true}) {
    std::vector<Uint> out(6, 7);
    DescriptorTable table;
    table.bind(0, in).bind(1, out);
    const Pipeline pipeline(module, {.robust = robust});
    const auto run = pipeline.dispatch(table, {.workgroups = {2}, .threads = 1});
    CHECK(run.faults == (robust ? 0 : 3 + 2));
    CHECK(run.findings.findings().empty() == robust);
    CHECK(out == std::vector<Uint>{11, 21, 31, 41, 51, 1});
    CHECK(pipeline.at_subgroup_size(2).dispatch(table, {.workgroups = {2}}).faults == run.faults);
  }
}

TEST_CASE("an address means the same in every pipeline of an address space") {
  const std::string head = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { uint value; uint pad; Node next; };
layout(push_constant) uniform Push { Node first; };
)";
  // The second pipeline follows pointers that the first one wrote, and has other resources.
  const Pipeline links(Module::from_glsl(head + R"(
layout(set = 0, binding = 0) buffer Heads { Node heads[8]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  first.value += heads[i].value == i ? 0u : 1u;
  heads[i].next = heads[(i + 1u) % 8u];
})"));
  const Pipeline follows(Module::from_glsl(head + R"(
layout(set = 0, binding = 0) buffer Unused { uint a[]; } unused[5];
layout(set = 3, binding = 0) buffer Out { uint results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  Node node = first;
  for (uint k = 0u; k < i; ++k) node = node.next;
  results[i] = node.value;
})"));
  struct Node {
    Uint value, padding;
    std::uint64_t next;
  };
  for (const int size : {1, 8, 32}) {
    AddressSpace space;
    std::vector<Node> nodes(8), flag(1);
    std::vector<std::uint64_t> heads;
    const std::uint64_t of_flag = space.add(flag);
    for (Uint k = 0; k < 8; ++k) {
      nodes[k].value = k;
      heads.push_back(space.add(std::as_writable_bytes(std::span(&nodes[k], 1))));
    }
    DescriptorTable table;
    table.bind(0, heads);
    Dispatch dispatch{.push_constants = bytes_of_value(of_flag), .addresses = &space};
    CHECK(links.at_subgroup_size(size).dispatch(table, dispatch).faults == 0);
    CHECK(flag[0].value == 0);
    std::vector<Uint> out(8);
    table.bind(3, 0, out);
    dispatch.push_constants = bytes_of_value(heads[2]);
    CHECK(follows.at_subgroup_size(size).dispatch(table, dispatch).faults == 0);
    CHECK(out == std::vector<Uint>{2, 3, 4, 5, 6, 7, 0, 1});
    // Elsewhere the address means nothing.
    AddressSpace other;
    for (const AddressSpace* wrong :
         {static_cast<const AddressSpace*>(&other), static_cast<const AddressSpace*>(nullptr)}) {
      dispatch.addresses = wrong;
      const auto run = follows.at_subgroup_size(size).dispatch(table, dispatch);
      CHECK(run.faults == 8 + 28);
      CHECK(run.findings.first().access.object.kind == MemoryObject::Kind::none);
      CHECK(out == std::vector<Uint>(8, 0));
    }
  }
}

TEST_CASE("the error for a descriptor that does not fit has its set, binding, element and name") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; } two[2];
layout(set = 1, binding = 2, r32ui) uniform uimage2D image;
void main() {
  two[0].results[0] = 1u;
  two[1].results[0] = 1u;
  imageStore(image, ivec2(0), uvec4(1));
})",
                                            {}, "fits.comp"));
  std::vector<Uint> out(4);
  const auto bytes = std::as_writable_bytes(std::span(out));
  Image2D image(ImageFormat::r32ui, 2, 2), other(ImageFormat::rgba8, 2, 2);
  DescriptorTable table;
  const auto says = [&](const std::string& what) {
    CHECK_THROWS_WITH(pipeline.dispatch(table), "fits.comp: " + what);
  };
  says("nothing is bound to set 0, binding 0 (two): bind an array or an image to it");
  table.bind(0, out);
  says("nothing is bound to set 0, binding 0, element 1 (two): bind an array or an image to it");
  table.set(0).bind_image(0, image, 1);
  says("set 0, binding 0, element 1 (two) is a buffer, but what is bound to it is not");
  table.set(0).bind_bytes(0, std::span<const std::byte>(bytes), 1);
  says("set 0, binding 0, element 1 (two) is written, but what is bound to it is constant");
  table.set(0).bind_bytes(0, bytes, 1);
  table.set(1).bind_bytes(2, bytes);
  says("set 1, binding 2 (image) is an image, but what is bound to it is not");
  table.set(1).bind_image(2, other);
  says("set 1, binding 2 (image) has numbers of another type than the image bound to it (rgba8)");
  Descriptor texels{.kind = Descriptor::Kind::texels,
                    .bytes = bytes,
                    .format = ImageFormat::r32ui,
                    .extent = {3, 2, 1}};
  table.set(1).write(2, 0, texels);
  says("set 1, binding 2 (image) has 3 x 2 x 1 texels in r32ui, but 16 bytes are bound to it");
  texels.extent = {0xffffffff, 0xffffffff, 2};
  table.set(1).write(2, 0, texels);
  CHECK_THROWS_AS(pipeline.dispatch(table), Error);
  texels.extent = {2, 2, 1};
  table.set(1).write(2, 0, texels);
  CHECK(pipeline.dispatch(table).faults == 0);
  CHECK(out[0] == 1);
}

TEST_CASE("errors of making a pipeline") {
  const Module module = Module::from_glsl(copy, {}, "copy.comp");
  CHECK_THROWS_WITH(Pipeline(module, {.entry = "other"}),
                    "copy.comp: has no compute entry point 'other'; it has 'main'");
  CHECK_THROWS_AS(Pipeline(module, {.subgroup_size = 0}), Error);
  CHECK_THROWS_AS(Pipeline(module, {.subgroup_size = 129}), Error);
  CHECK_THROWS_AS(Pipeline(module).at_subgroup_size(129), Error);
  CHECK_THROWS_WITH(Pipeline(module).check(profile::nvidia, {1, 65536, 1}),
                    Catch::Contains("65536"));
  CHECK_NOTHROW(Pipeline(module).check(profile::nvidia, {1, 1, 1}));
}

TEST_CASE("options are equal if all of their members are") {
  const PipelineOptions options{.specialization = {{0, 16u}}};
  CHECK(options == PipelineOptions{.specialization = {{0, 16u}}});
  CHECK_FALSE(options == PipelineOptions{.specialization = {{0, 17u}}});
  CHECK_FALSE(options == PipelineOptions{.specialization = {{1, 16u}}});
  CHECK_FALSE(options == PipelineOptions{.specialization = {{0, 16u}}, .subgroup_size = 8});
  CHECK_FALSE(options == PipelineOptions{.specialization = {{0, 16u}}, .robust = true});
  CHECK_FALSE(options == PipelineOptions{.entry = "other", .specialization = {{0, 16u}}});
}

TEST_CASE("missing push constants read as zero and are faults") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint a; uint b; };
void main() { results[gl_LocalInvocationIndex] = a * 10u + b; })"));
  std::vector<Uint> out(4);
  DescriptorTable table;
  table.bind(0, out);
  const Uint push[] = {4, 5};
  const auto bytes = std::as_bytes(std::span(push));
  CHECK(pipeline.dispatch(table, {.push_constants = bytes}).faults == 0);
  CHECK(out == std::vector<Uint>(4, 45));
  CHECK(pipeline.dispatch(table, {.push_constants = bytes.first(4)}).faults > 0);
  CHECK(out == std::vector<Uint>(4, 40));
  CHECK(pipeline.dispatch(table, {.push_constants = bytes}).faults == 0);
  CHECK(out == std::vector<Uint>(4, 45));
}
