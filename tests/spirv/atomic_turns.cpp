#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

/// \file
/// Atomics of shaders, compared with a plain loop of turns.

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

constexpr Uint lanes = 128, numbers = 64;

struct Operation {
  std::string glsl;  ///< of N, a number, and v
  std::function<Uint(Uint, Uint)> changed;
};

const std::vector<Operation>& operations() {
  const auto as_int = [](Uint x) { return static_cast<std::int32_t>(x); };
  static const std::vector<Operation> all = {
      {"atomicAdd(N, v)", [](Uint n, Uint v) { return n + v; }},
      {"atomicMin(N, v)", [](Uint n, Uint v) { return std::min(n, v); }},
      {"atomicMax(N, v)", [](Uint n, Uint v) { return std::max(n, v); }},
      {"atomicAnd(N, v)", [](Uint n, Uint v) { return n & v; }},
      {"atomicOr(N, v)", [](Uint n, Uint v) { return n | v; }},
      {"atomicXor(N, v)", [](Uint n, Uint v) { return n ^ v; }},
      {"atomicExchange(N, v)", [](Uint, Uint v) { return v; }},
      {"atomicCompSwap(N, v % 8u, v)", [](Uint n, Uint v) { return n == v % 8 ? v : n; }},
      {"uint(atomicMin(S, int(v)))",
       [as_int](Uint n, Uint v) { return as_int(v) < as_int(n) ? v : n; }},
      {"uint(atomicMax(S, int(v)))",
       [as_int](Uint n, Uint v) { return as_int(v) > as_int(n) ? v : n; }},
  };
  return all;
}

/// How lanes select their number.
struct Pattern {
  const char* name;
  std::function<Uint(Uint)> of_lane;
};
const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = {
      {"each its own", [](Uint lane) { return lane % numbers; }},
      {"all one", [](Uint) { return 5u; }},
      {"many alike", [](Uint lane) { return lane * 7 % 5; }},
      {"some outside", [](Uint lane) { return lane % 11 == 3 ? numbers + lane : lane / 2; }},
      {"all outside", [](Uint lane) { return numbers + lane; }},
  };
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// A statement's shader: lanes with a bit of `take` run the operation.
std::string shader(const Operation& operation, bool result, bool shared, bool uniform) {
  const std::string at = uniform ? "wanted[0]" : "wanted[i]";
  std::string text = operation.glsl;
  const bool has_sign = text.find("S,") != std::string::npos;
  text = replaced(text, has_sign ? "S," : "N,", std::string(shared ? "s[" : "data[") + at + "],");
  const std::string type = has_sign ? "int" : "uint";
  return R"(#version 460
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { uint every, from; };
layout(set = 0, binding = 0) readonly buffer Wanted { uint wanted[]; };
layout(set = 0, binding = 1) readonly buffer Values { uint values[]; };
layout(set = 0, binding = 2) buffer Data { )" +
         type + R"( data[]; };
layout(set = 0, binding = 3) buffer Old { uint old[]; };
shared )" +
         type + R"( s[64];
void main() {
  uint i = gl_LocalInvocationIndex, v = values[i];
)" + (shared ? "  if (i < 64) s[i] = data[i];\n  barrier();\n" : "") +
         "  if (i % every >= from) { " + (result ? "old[i] = " : "") + text + "; }\n" +
         (shared ? "  barrier();\n  if (i < 64) data[i] = s[i];\n" : "") + "}\n";
}

/// Which lanes run it, by the remainder of their number.
struct Share {
  Uint every, from;
};
constexpr Share shares[] = {{1, 0}, {3, 1}, {128, 127}, {2, 5}};

/// Runs the operation with the numbers in `wanted`, and in a loop over lanes.
void require_turns(Shader& code, const Operation& operation, bool result, std::vector<Uint> wanted,
                   const Share& share, int size) {
  std::vector<Uint> values(lanes), data(numbers), old(lanes, 77);
  for (Uint k = 0; k < lanes; ++k) values[k] = (k * 2654435761u) >> (k % 29);
  for (Uint k = 0; k < numbers; ++k) data[k] = k % 8;
  std::vector<Uint> want_data = data, want_old = old;
  std::uint64_t faults = 0;
  for (Uint k = 0; k < lanes; ++k) {
    if (k % share.every < share.from) continue;
    const bool inside = wanted[k] < numbers;
    if (!inside) ++faults;
    if (result) want_old[k] = inside ? want_data[wanted[k]] : 0;
    if (inside) want_data[wanted[k]] = operation.changed(want_data[wanted[k]], values[k]);
  }
  code.bind(0, wanted).bind(1, values).bind(2, data).bind(3, old).push(share);
  const auto run = code.dispatch({1}, {.subgroup_size = size, .threads = 1});
  CAPTURE(operation.glsl, result, share.every, share.from, size);
  REQUIRE(data == want_data);
  REQUIRE(old == want_old);
  REQUIRE(run.faults == faults);
}

/// Calls f(code, operation, result) for the shaders of all operations.
template <typename F>
void each_shader(bool uniform, F&& f) {
  for (const Operation& operation : operations()) {
    for (const bool result : {true, false}) {
      for (const bool shared : {false, true}) {
        CAPTURE(shared);
        auto code = Shader::from_glsl(shader(operation, result, shared, uniform));
        f(code, operation, result);
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "each atomic gives what lanes one after another give, for any active lanes and any elements") {
  each_shader(false, [](Shader& code, const Operation& operation, bool result) {
    for (const Pattern& pattern : patterns()) {
      std::vector<Uint> wanted(lanes);
      for (Uint k = 0; k < lanes; ++k) wanted[k] = pattern.of_lane(k);
      CAPTURE(pattern.name);
      for (const Share& share : shares) {
        for (const int size : {1, 8, 24, 32, 64, 100, 128})
          require_turns(code, operation, result, wanted, share, size);
      }
    }
  });
}

TEST_CASE("an atomic on one element is done by all lanes") {
  each_shader(true, [](Shader& code, const Operation& operation, bool result) {
    for (const Uint place : {0u, 63u, 64u}) {
      for (const Share& share : shares) {
        for (const int size : {8, 32, 100, 128})
          require_turns(code, operation, result, std::vector<Uint>(lanes, place), share, size);
      }
    }
  });
}

TEST_CASE("no atomic of several threads is lost") {
  auto code = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  atomicAdd(data[0], i % 5);
  atomicAdd(data[1 + i % 7], 1);
  atomicMax(data[8], i * 3);
})");
  constexpr Uint groups = 200;
  std::vector<Uint> data(9), want(9);
  for (Uint i = 0; i < groups * 64; ++i) {
    want[0] += i % 5;
    want[1 + i % 7] += 1;
    want[8] = std::max(want[8], i * 3);
  }
  code.bind(0, data).dispatch({groups}, {.subgroup_size = 32, .threads = 4});
  CHECK(data == want);
}
