#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Atomics at one index for all lanes, in machine code and without it, against lanes one after another: of all active
/// lanes, of an elected one and of one that a condition leaves, with and without their results.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

constexpr Uint local_size = 100, workgroups = 40;

struct Operation {
  std::string glsl;  ///< of N, a number, and V, a value
  std::function<Uint(Uint, Uint)> changed;
};

const std::vector<Operation>& operations() {
  const auto as_int = [](Uint x) { return static_cast<std::int32_t>(x); };
  static const std::vector<Operation> all = {
      {"atomicAdd(data[N], V)", [](Uint n, Uint v) { return n + v; }},
      {"atomicMin(data[N], V)", [](Uint n, Uint v) { return std::min(n, v); }},
      {"atomicMax(data[N], V)", [](Uint n, Uint v) { return std::max(n, v); }},
      {"atomicAnd(data[N], V)", [](Uint n, Uint v) { return n & v; }},
      {"atomicOr(data[N], V)", [](Uint n, Uint v) { return n | v; }},
      {"atomicXor(data[N], V)", [](Uint n, Uint v) { return n ^ v; }},
      {"atomicExchange(data[N], V)", [](Uint, Uint v) { return v; }},
      {"atomicCompSwap(data[N], V % 3u, V)", [](Uint n, Uint v) { return n == v % 3 ? v : n; }},
      {"uint(atomicMin(whole[N], int(V)))",
       [as_int](Uint n, Uint v) { return as_int(v) < as_int(n) ? v : n; }},
      {"uint(atomicMax(whole[N], int(V)))",
       [as_int](Uint n, Uint v) { return as_int(v) > as_int(n) ? v : n; }},
  };
  return all;
}
const Uint count = static_cast<Uint>(operations().size());

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Which active lanes do the operations, what with, and where.
struct Form {
  enum class Lanes { all, elected, third } lanes = Lanes::all;
  bool result = false, same_value = false, shared = false;
};

std::string shader_of(const Form& form) {
  std::string body;
  for (Uint k = 0; k < count; ++k) {
    std::string operation =
        replaced(operations()[k].glsl, "N", "base + " + std::to_string(k) + "u");
    operation = replaced(operation, "V", form.same_value ? "same" : "v");
    if (form.shared) operation = replaced(replaced(operation, "data[", "s["), "whole[", "w[");
    const std::string condition = form.lanes == Form::Lanes::all       ? "true"
                                  : form.lanes == Form::Lanes::elected ? "subgroupElect()"
                                                                       : "i % 100u == 3u";
    const std::string statement = (form.result ? "r = r * 5u + " : "") + operation + ";";
    body +=
        condition == "true" ? statement + "\n" : "if (" + condition + ") { " + statement + " }\n";
  }
  const std::string before = R"(
  for (uint k = gl_LocalInvocationIndex; k < 10; k += 100) { s[k] = data[first + k]; w[k] = whole[first + k]; }
  barrier();
  uint base = shift - shift;
)",
                    after = R"(
  barrier();
  for (uint k = gl_LocalInvocationIndex; k < 10; k += 100) { data[first + k] = s[k]; whole[first + k] = w[k]; }
)";
  return R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 100) in;
layout(push_constant) uniform Push { uint every, from, shift, same; };
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Data { uint data[]; };
layout(binding = 2) buffer Whole { int whole[]; };
layout(binding = 3) buffer Old { uint old[]; };
shared uint s[16];
shared int w[16];
void main() {
  uint i = gl_GlobalInvocationID.x, v = values[i], r = 7, first = gl_WorkGroupID.x * 10u;
)" + (form.shared ? before : "  uint base = first + shift;\n") +
         "  if (v % every >= from) {\n" + body + "  }\n" + (form.shared ? after : "") +
         "  old[i] = r;\n}\n";
}

struct Push {
  Uint every, from, shift, same;
};

/// What the shader leaves, by loops over workgroups, subgroups and lanes.
struct Expected {
  std::vector<Uint> data, old;
  std::uint64_t faults = 0;

  Expected(const std::vector<Uint>& values, const std::vector<Uint>& before, const Form& form,
           const Push& push, Uint size)
      : data(before), old(workgroups * local_size, 7) {
    for (Uint group = 0; group < workgroups; ++group) {
      for (Uint first = 0; first < local_size; first += size)
        subgroup(values, form, push, group, first, std::min(size, local_size - first));
    }
  }

 private:
  void subgroup(const std::vector<Uint>& values, const Form& form, const Push& push, Uint group,
                Uint first, Uint lanes) {
    for (Uint k = 0; k < count; ++k) {
      bool found = false;
      for (Uint lane = first; lane < first + lanes; ++lane) {
        const Uint i = group * local_size + lane, v = values[i];
        if (v % push.every < push.from) continue;
        if (form.lanes == Form::Lanes::elected && std::exchange(found, true)) continue;
        if (form.lanes == Form::Lanes::third && lane != 3) continue;
        const Uint at = (group * 10 + (form.shared ? 0 : push.shift)) + k;
        const bool inside = at < data.size();
        if (form.result) old[i] = old[i] * 5 + (inside ? data[at] : 0);
        if (inside)
          data[at] = operations()[k].changed(data[at], form.same_value ? push.same : v);
        else
          ++faults;
      }
    }
  }
};

void check_form(const Form& form) {
  CAPTURE(static_cast<int>(form.lanes), form.result, form.same_value, form.shared);
  std::vector<Uint> values(workgroups * local_size);
  for (Uint k = 0; k < values.size(); ++k) values[k] = (k * 2654435761u) >> (k % 29);
  std::vector<Uint> before(workgroups * 10);
  for (Uint k = 0; k < before.size(); ++k) before[k] = k % 4;
  const std::string source = shader_of(form);
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const int size : {1, 8, 24, 32, 33, 64, 100}) {
      for (const Push& push : {Push{1, 0, 0, 9}, Push{3, 1, 0, 0x80000005}, Push{2, 1, 4, 6}}) {
        for (const int threads : {1, 4}) {
          // Workgroups share no element unless they are shifted.
          if (push.shift != 0 && (threads != 1 || form.shared)) continue;
          const Expected expected(values, before, form, push, static_cast<Uint>(size));
          std::vector<Uint> data = before, old(values.size());
          std::vector<std::int32_t> whole(before.begin(), before.end());
          shader.bind(0, values).bind(1, data).bind(2, whole).bind(3, old).push(push);
          const auto run =
              shader.dispatch({workgroups}, {.subgroup_size = size, .threads = threads});
          for (Uint k = 0; k < data.size(); ++k)
            if ((k + 10 - push.shift % 10) % 10 >= 8) data[k] = static_cast<Uint>(whole[k]);
          CAPTURE(name_of(target), size, push.every, push.shift, threads);
          REQUIRE(data == expected.data);
          REQUIRE(old == expected.old);
          REQUIRE(run.faults == expected.faults);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("atomics at one index, of all active lanes") {
  for (const bool same : {false, true}) {
    for (const bool shared : {false, true}) check_form({Form::Lanes::all, false, same, shared});
    check_form({Form::Lanes::all, true, same, false});
  }
}

TEST_CASE("atomics at one index, of an elected lane") {
  for (const bool result : {false, true}) {
    for (const bool same : {false, true}) {
      for (const bool shared : {false, true})
        check_form({Form::Lanes::elected, result, same, shared});
    }
  }
}

TEST_CASE("atomics at one index, of a lane that a condition leaves") {
  for (const bool result : {false, true}) {
    for (const bool shared : {false, true}) check_form({Form::Lanes::third, result, false, shared});
  }
}

TEST_CASE("an atomic on numbers that are not aligned") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint number; };
void main() {
  if (subgroupElect()) { atomicAdd(number, 5u); }
})");
    alignas(4) std::byte bytes[12] = {};
    shader.bind(0, std::span(bytes).subspan(1, 8));
    CAPTURE(name_of(target));
    CHECK(shader.dispatch({1}, {.subgroup_size = 32, .threads = 1}).faults == 2);
    for (const std::byte byte : bytes) CHECK(byte == std::byte{0});
  }
}
