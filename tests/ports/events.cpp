#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/mat.hpp>
#include <lockstep/lockstep.hpp>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
using Kind = Event::Kind;

/// The values of these lanes; the two front ends keep different numbers of lanes.
std::string text_of(const LaneValues& values, LaneSet lanes) {
  if (values.type == LaneValues::Type::none) return "nothing";
  std::string text = fmt::format("type {}:", static_cast<int>(values.type));
  for_each_lane(lanes, [&](int lane) { text += " " + to_string(values, lane); });
  return text;
}

/// All that the event says, but for its place in the source and the names that only shaders have; without
/// control flow, also for where in it the event is.
std::string text_of(const Event& event, bool with_control_flow) {
  std::string text = fmt::format("{} {}", to_string(event.kind), event.name);
  if (with_control_flow) text += fmt::format(" depth {}", event.depth);
  text += ", tangles";
  LaneSet lanes = event.others;
  for (const Tangle& tangle : event.tangles) {
    text += fmt::format(" {{{}}}{}", to_string(tangle.lanes),
                        with_control_flow && tangle.whole_workgroup ? "w" : "");
    if (event.kind == Kind::built_in) lanes = lanes | tangle.lanes;
  }
  text += fmt::format(", others {}", to_string(event.others));
  for (const LaneSet arrived : event.arrivals) text += ", arrived " + to_string(arrived);
  if (event.kind == Kind::trip) text += fmt::format(", trip {}", event.trip);
  for (const LaneValues& operand : event.operands) text += ", takes " + text_of(operand, lanes);
  if (event.kind == Kind::built_in || is_access(event.kind))
    text += ", gives " + text_of(event.result, lanes);
  if (event.kind == Kind::barrier || event.kind == Kind::sync) text += ", " + to_string(event.sync);
  if (!is_access(event.kind)) return text;
  const Access& access = event.access;
  MemoryObject object = access.object;
  object.name = "";
  text += fmt::format(", {} {}, {} numbers of {} bytes, {} apart, {} / {:#x}, bytes",
                      to_string(object), object.binding, access.count, access.bytes, access.step,
                      to_string(access.order), access.unequal);
  for_each_lane(lanes, [&](int lane) {
    text += fmt::format(" {}", access.byte[static_cast<std::size_t>(lane)]);
  });
  return text;
}

bool is_control_flow(Kind kind) { return kind >= Kind::enter && kind <= Kind::jump_return; }

/// The events of each subgroup.
struct Recorder : Observer {
  explicit Recorder(bool control_flow) : with_control_flow(control_flow) {}

  bool with_control_flow;
  std::map<std::string, std::vector<std::string>> events;
  void on(const Event& event) override {
    if (event.kind == Kind::line || (!with_control_flow && is_control_flow(event.kind))) return;
    const auto& [x, y, z] = event.workgroup;
    events[fmt::format("workgroup ({}, {}, {}), subgroup {}", x, y, z, event.subgroup)].push_back(
        text_of(event, with_control_flow));
  }
};

/// The first events in which two recordings differ; empty if there is none.
std::string difference(const Recorder& cpp, const Recorder& glsl) {
  for (const auto& [who, events] : cpp.events) {
    const auto found = glsl.events.find(who);
    if (found == glsl.events.end()) return who + " is in C++ only";
    const auto [a, b] = std::ranges::mismatch(events, found->second);
    if (a == events.end() && b == found->second.end()) continue;
    return fmt::format("{}: event {} of {} and {}\n  C++:  {}\n  GLSL: {}", who, a - events.begin(),
                       events.size(), found->second.size(), a == events.end() ? "none" : *a,
                       b == found->second.end() ? "none" : *b);
  }
  return cpp.events.size() == glsl.events.size() ? "" : "more subgroups run in GLSL";
}

}  // namespace

namespace {

/// Kernels whose ports take other steps to the same result: what is quick here is not what is quick on a GPU.
bool takes_other_steps(std::string_view kernel) {
  constexpr std::array<std::string_view, 3> names{"prefix_sum", "prefix_sum_lookback",
                                                  "radix_sort"};
  return std::ranges::find(names, kernel) != names.end();
}
/// Kernels with a plain C++ if, loop or function, of which the machine knows nothing.
bool has_plain_control_flow(std::string_view kernel) {
  constexpr std::array<std::string_view, 12> names{
      "bitonic_sort",   "butterfly",    "clustered_rotate", "histogram",    "matrix_product",
      "quarter_ballot", "reverse_scan", "rotate",           "strided_scan", "subgroup_scan",
      "vote",           "xor_reduce"};
  return std::ranges::find(names, kernel) != names.end();
}

std::string difference(const kernels::KernelCase& before, int size, ports::EnginePort& port,
                       Rule rule, bool with_control_flow) {
  kernels::KernelCase in_cpp = before, in_glsl = before;
  Recorder cpp(with_control_flow), glsl(with_control_flow);
  const Convergence told_cpp{.rule = rule, .observer = &cpp};
  const Convergence told_glsl{.rule = rule, .observer = &glsl};
  kernels::run(Device{.subgroup_size = size}, in_cpp, &told_cpp);
  port.run(in_glsl, {.subgroup_size = size, .convergence = &told_glsl});
  const std::string values = first_difference(in_glsl, in_cpp);
  return values.empty() ? difference(cpp, glsl) : values;
}

}  // namespace

TEST_CASE("kernels and their ports give the same events") {
  int compared = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    if (takes_other_steps(entry.name)) continue;
    for (const int size : {4, 32}) {
      if (!entry.undefined_at(size).empty()) continue;
      const kernels::KernelCase job = entry.make_case(entry.make_input(70, seed()), size);
      if (!is_compute(job)) continue;
      ports::EnginePort port(job, LOCKSTEP_KERNELS_DIR);
      for (const Rule rule : {Rule::maximal, Rule::core}) {
        INFO(entry.name << ", subgroup size " << size << ", " << to_string(rule) << ", seed "
                        << seed());
        CHECK(difference(job, size, port, rule, !has_plain_control_flow(entry.name)) == "");
      }
      ++compared;
    }
  }
  CHECK(compared >= 50);
}

namespace {

/// Each kind of access, barrier and order that the kernels of kernels/ lack.
template <class S>
struct Orders : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};

  Buffer<uint> numbers;
  Buffer<vec3> vectors;
  Buffer<mat3> matrices;
  uimage2D image;
  Shared<uint, 16> part{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    part[i] = numbers[i];
    memoryBarrierShared();
    co_await barrier();
    const Uint other = part[15u - i];
    barriers();
    atomicCompSwap(numbers[i], other, i);
    atomicMax(part[0u], i);
    images(i);
    vectors_and_matrices(i);
  }

  void barriers() {
    memoryBarrier();
    memoryBarrierBuffer();
    memoryBarrierImage();
    groupMemoryBarrier();
    subgroupBarrier();
    subgroupMemoryBarrier();
    subgroupMemoryBarrierBuffer();
    subgroupMemoryBarrierShared();
    subgroupMemoryBarrierImage();
  }

  void images(const Uint& i) {
    const ivec2 at(Int(i % 4u), Int(i / 4u));
    const uvec4 texel = imageLoad(image, at);
    imageStore(image, at, texel);
    imageAtomicAdd(image, at, i);
    imageAtomicCompSwap(image, at, i, texel.x);
  }

  void vectors_and_matrices(const Uint& i) {
    const vec3 v = vectors[i];
    vectors[i] = subgroupShuffleXor(v, 1u);
    vectors[i].y = subgroupClusteredAdd(v.x, 4u);
    const auto same = subgroupAllEqual(v);
    const Uint most = subgroupClusteredMax(i, 2u);
    numbers[i] = select(same, i, most);
    const mat3 m = matrices[0u];
    matrices[i] = m;
  }
};

constexpr const char* orders_in_glsl = R"(#version 450
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_clustered : enable
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Numbers { uint numbers[]; };
layout(std430, binding = 1) buffer Vectors { vec3 vectors[]; };
layout(std430, binding = 2) buffer Matrices { mat3 matrices[]; };
layout(binding = 3, r32ui) uniform uimage2D image;
shared uint part[16];

void main() {
  uint i = gl_LocalInvocationIndex;
  part[i] = numbers[i];
  memoryBarrierShared();
  barrier();
  uint other = part[15 - i];
  memoryBarrier();
  memoryBarrierBuffer();
  memoryBarrierImage();
  groupMemoryBarrier();
  subgroupBarrier();
  subgroupMemoryBarrier();
  subgroupMemoryBarrierBuffer();
  subgroupMemoryBarrierShared();
  subgroupMemoryBarrierImage();
  atomicCompSwap(numbers[i], other, i);
  atomicMax(part[0], i);
  ivec2 at = ivec2(i % 4, i / 4);
  uvec4 texel = imageLoad(image, at);
  imageStore(image, at, texel);
  imageAtomicAdd(image, at, i);
  imageAtomicCompSwap(image, at, i, texel.x);
  vec3 v = vectors[i];
  vectors[i] = subgroupShuffleXor(v, 1);
  vectors[i].y = subgroupClusteredAdd(v.x, 4);
  bool same = subgroupAllEqual(v);
  uint most = subgroupClusteredMax(i, 2);
  numbers[i] = uint(same) * i + uint(!same) * most;
  mat3 m = matrices[0];
  matrices[i] = m;
})";

/// The kernel's arrays; every lane's numbers differ.
struct OrdersArrays {
  std::vector<std::uint32_t> numbers = std::vector<std::uint32_t>(16);
  std::vector<std430::vec3> vectors = std::vector<std430::vec3>(16);
  std::vector<std430::mat3> matrices = std::vector<std430::mat3>(16);
  Image2D image{ImageFormat::r32ui, 4, 4};

  OrdersArrays() {
    for (std::size_t i = 0; i < 16; ++i) {
      numbers[i] = static_cast<std::uint32_t>(i % 3 == 0 ? 15 - i : i);
      vectors[i] = {float(i), 1, float(i * i)};
      for (int c = 0; c < 3; ++c) matrices[i][c] = {float(i), float(c), 1};
    }
  }
};

void run_orders_in_cpp(const Convergence& convergence, int size, OrdersArrays& arrays) {
  Device{.subgroup_size = size}.dispatch<Orders, 128>(
      convergence, {1}, arrays.numbers, arrays.vectors, arrays.matrices, arrays.image);
}
void run_orders_in_glsl(const Convergence& convergence, int size, OrdersArrays& arrays) {
  auto shader = Shader::from_glsl(orders_in_glsl, {}, "orders.comp");
  shader.bind(0, arrays.numbers).bind(1, arrays.vectors).bind(2, arrays.matrices);
  shader.bind_image(3, arrays.image);
  shader.dispatch({1}, {.subgroup_size = size, .convergence = &convergence});
}

}  // namespace

TEST_CASE("every access, barrier and order gives the same event in both front ends") {
  for (const int size : {4, 8, 16}) {
    INFO("subgroup size " << size);
    Recorder cpp(true), glsl(true);
    const Convergence told_cpp{.observer = &cpp}, told_glsl{.observer = &glsl};
    OrdersArrays a, b;
    run_orders_in_cpp(told_cpp, size, a);
    run_orders_in_glsl(told_glsl, size, b);
    CHECK(a.numbers == b.numbers);
    CHECK(a.vectors == b.vectors);
    CHECK(difference(cpp, glsl) == "");
  }
}

namespace {

/// Arrays of each invocation, one of them in a loop, and lanes beyond the end.
template <class S>
struct PrivateArrays : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};

  Buffer<uint> numbers;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    Array<uint, 5> bins{this};
    Array<float, 3> weights{this, 1.5f, 2.5f, 3.5f};
    if (auto in = when(i > 2u)) {
      const Uint number = numbers[i];
      bins[number % 5u] = i;
    }
    const Float weight = weights[i % 4u];
    weights[(i + 1u) % 3u] = weight + 1.0f;
    const Float other = weights[i % 3u];
    const Uint bin = bins[i % 5u];
    bins[bin % 7u] += 3u;
    const Uint last = bins[4u - i % 5u];
    numbers[i] = bin + last + Uint(other);
  }
};

constexpr const char* private_arrays_in_glsl = R"(#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Numbers { uint numbers[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint bins[5] = uint[](0, 0, 0, 0, 0);
  float weights[3] = float[](1.5, 2.5, 3.5);
  if (i > 2) {
    uint number = numbers[i];
    bins[number % 5] = i;
  }
  float weight = weights[i % 4];
  weights[(i + 1) % 3] = weight + 1.0;
  float other = weights[i % 3];
  uint bin = bins[i % 5];
  bins[bin % 7] += 3;
  uint last = bins[4 - i % 5];
  numbers[i] = bin + last + uint(other);
})";

}  // namespace

TEST_CASE("accesses to arrays of an invocation give the same events in both front ends") {
  for (const int size : {4, 8, 16}) {
    INFO("subgroup size " << size);
    Recorder cpp(true), glsl(true);
    const Convergence told_cpp{.observer = &cpp}, told_glsl{.observer = &glsl};
    std::vector<std::uint32_t> a(16), b(16);
    for (std::uint32_t i = 0; i < 16; ++i) a[i] = b[i] = i * 2654435761u >> 8;
    const FaultLog faults =
        Device{.subgroup_size = size, .faults = Faults::counted}.dispatch<PrivateArrays, 128>(
            told_cpp, {1}, a);
    CHECK(faults.count() > 0);
    auto shader = Shader::from_glsl(private_arrays_in_glsl, {}, "private.comp");
    shader.bind(0, b).dispatch({1}, {.subgroup_size = size, .convergence = &told_glsl});
    CHECK(a == b);
    CHECK(difference(cpp, glsl) == "");
  }
}

namespace {

/// Keeps the events that it asks for.
struct Asking : Observer {
  explicit Asking(const Interest& interest) : wanted(interest) {}
  void on(const Event& event) override { events.push_back(event); }
  Interest interest() const override { return wanted; }

  Interest wanted;
  std::vector<Event> events;
};

using Run = void (*)(const Convergence&);
constexpr Run runs_of_events[] = {
    [](const Convergence& convergence) {
      OrdersArrays arrays;
      run_orders_in_cpp(convergence, 8, arrays);
    },
    [](const Convergence& convergence) {
      OrdersArrays arrays;
      run_orders_in_glsl(convergence, 8, arrays);
    },
    [](const Convergence& convergence) {
      std::vector<std::uint32_t> numbers(16, 3);
      Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch<PrivateArrays, 128>(
          convergence, {1}, numbers);
    },
    [](const Convergence& convergence) {
      std::vector<std::uint32_t> numbers(16, 3);
      auto shader = Shader::from_glsl(private_arrays_in_glsl, {}, "private.comp");
      shader.bind(0, numbers).dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
    },
};

std::vector<std::string> texts_of(const std::vector<Event>& events) {
  std::vector<std::string> texts;
  for (const Event& event : events) texts.push_back(text_of(event, true));
  return texts;
}

}  // namespace

TEST_CASE("observers get the events that they ask for, as if they had asked for all") {
  for (const Run& run : runs_of_events) {
    for (const Rule rule : {Rule::maximal, Rule::core}) {
      INFO("run " << &run - runs_of_events << ", " << to_string(rule));
      Asking everything{Interest{}};
      run({.rule = rule, .observer = &everything});
      std::set<Kind> kinds;
      for (const Event& event : everything.events) kinds.insert(event.kind);
      CHECK(kinds.size() >= 6);
      for (const Kind kind : kinds) {
        INFO(to_string(kind));
        std::vector<Event> expected;
        std::ranges::copy_if(everything.events, std::back_inserter(expected),
                             [&](const Event& event) { return event.kind == kind; });
        Asking some{{{kind}, true}};
        run({.rule = rule, .observer = &some});
        CHECK(texts_of(some.events) == texts_of(expected));
      }
    }
  }
}

TEST_CASE("observers that ask for no values get the places of reads and writes alone") {
  for (const Run& run : runs_of_events) {
    INFO("run " << &run - runs_of_events);
    Asking with{{{Kind::read, Kind::write, Kind::atomic}, true}};
    Asking without{{{Kind::read, Kind::write, Kind::atomic}, false}};
    run({.observer = &with});
    run({.observer = &without});
    REQUIRE(with.events.size() == without.events.size());
    for (std::size_t k = 0; k < with.events.size(); ++k) {
      const Event &full = with.events[k], &bare = without.events[k];
      INFO(to_string(full));
      CHECK(bare.kind == full.kind);
      CHECK(bare.where.line == full.where.line);
      CHECK(bare.others == full.others);
      CHECK(bare.access == full.access);
      if (full.kind == Kind::atomic) {
        CHECK(bare.name == full.name);
        // What a compare-and-swap changed cannot be told without them.
        const bool compares = full.name.ends_with("CompSwap");
        CHECK(((bare.operands.empty() && !compares) || bare.operands == full.operands));
        CHECK(((bare.result.bits.empty() && !compares) || bare.result == full.result));
      } else {
        CHECK(bare.operands.empty());
        CHECK(bare.result.bits.empty());
      }
    }
  }
}

namespace {

/// Two arrays, and one that is gone when the next one begins.
template <class S>
struct ArraysInTurn : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};

  Buffer<uint> numbers;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    Array<vec3, 2> first{this};
    for (uint k = 0; k < 2; ++k) {
      Array<bool, 4> inner{this};
      inner[i] = i > k;
    }
    Array<uint, 4> second{this};
    first[i % 2u] = vec3(Float(i));
    second[3u] = i;
    second[i] = i;
  }
};

struct PrivateAccesses : Observer {
  std::vector<Event> events;
  void on(const Event& event) override {
    if (event.access.object.kind == MemoryObject::Kind::private_memory) events.push_back(event);
  }
};

}  // namespace

TEST_CASE("observers can tell the arrays of an invocation apart") {
  PrivateAccesses seen;
  const Convergence convergence{.observer = &seen};
  std::vector<std::uint32_t> numbers(4);
  Device{.subgroup_size = 4}.dispatch<ArraysInTurn, 4>(convergence, {1}, numbers);
  REQUIRE(seen.events.size() == 4);  // a uniform index names a variable, which is no memory
  const std::array<std::uint32_t, 4> array{1, 1, 0, 1}, bytes{4, 4, 4, 4}, count{1, 1, 3, 1};
  const std::array<std::uint64_t, 4> second_lane{4, 4, 12, 4};
  for (std::size_t k = 0; k < 4; ++k) {
    const Access& access = seen.events[k].access;
    CHECK(access.object.binding == array[k]);
    CHECK(access.bytes == bytes[k]);
    CHECK(access.count == count[k]);
    CHECK(access.byte[1] == second_lane[k]);
    CHECK(seen.events[k].kind == Kind::write);
    CHECK(seen.events[k].operands.size() == 1);
  }
}
