#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "spirv/ssa_generator.hpp"
#include "spirv/ssa_program.hpp"
#include "support/settings.hpp"
#include "support/with_native.hpp"

/// \file
/// Phis: programs in SSA form give every invocation what an interpreter of one invocation says, on the fast
/// engine, without machine code and with each kind of it, and on the tangled one.

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::array<int, 5> sizes{1, 4, 24, 32, 128};

using Row = std::array<std::uint32_t, ssa::slots>;

std::vector<std::uint32_t> inputs(std::uint64_t number) {
  std::vector<std::uint32_t> in(ssa::invocations);
  for (std::size_t k = 0; k < in.size(); ++k)
    in[k] = static_cast<std::uint32_t>(hash_of(number, k) >> (32 + k % 29));
  return in;
}

std::string difference(const std::vector<Row>& want, const std::vector<std::uint32_t>& got) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    for (std::size_t s = 0; s < ssa::slots; ++s) {
      const std::uint32_t word = got[i * ssa::slots + s];
      if (word != want[i][s])
        return "invocation " + std::to_string(i) + ", slot " + std::to_string(s) + ": " +
               std::to_string(word) + " for " + std::to_string(want[i][s]);
    }
  }
  return "";
}

/// What the engine gets wrong; empty if nothing.
std::string wrong(const std::string& text, const std::vector<std::uint32_t>& in,
                  const std::vector<Row>& want, spirv::Target target, bool tangled) {
  const WithNative native(target);
  const Convergence maximal;
  auto shader = Shader::from_assembly(text);
  for (const int size : sizes) {
    std::vector<std::uint32_t> out(ssa::invocations * ssa::slots);
    shader.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = size,
                                                   .threads = 1,
                                                   .max_steps = 1'000'000,
                                                   .convergence = tangled ? &maximal : nullptr});
    const std::string what = difference(want, out);
    if (what.empty()) continue;
    return std::string("machine code: ") + name_of(target) + (tangled ? ", tangled" : "") +
           ", subgroups of " + std::to_string(size) + ": " + what;
  }
  return "";
}

/// What is wrong with program n of the tests; empty if nothing.
std::string failure_of(std::uint64_t n, int statements) {
  const ssa::Program program = ssa::Generator(hash_of(seed(), 31, n), statements).program();
  const std::string text = ssa::Printer::text(program);
  const auto in = inputs(n);
  ssa::Interpreter interpreter(program);
  std::vector<Row> want;
  for (std::uint32_t i = 0; i < ssa::invocations; ++i) want.push_back(interpreter.run(i, in));
  std::string what;
  try {
    for (const spirv::Target target : native_targets()) {
      what = wrong(text, in, want, target, false);
      if (!what.empty()) break;
    }
    if (what.empty()) what = wrong(text, in, want, spirv::Target::none, true);
  } catch (const Error& error) {
    what = error.what();
  }
  if (what.empty()) return "";
  return "program " + std::to_string(n) + " of " + std::to_string(statements) + " statements, " +
         what + "\n" + text;
}

}  // namespace

TEST_CASE("random programs with phis give what a single invocation computes") {
  std::uint64_t count = full_run() ? 5000 : 60;
  if (const char* value = std::getenv("LOCKSTEP_TEST_PROGRAMS"))
    count = std::strtoull(value, nullptr, 0);
  for (std::uint64_t n = 0; n < count; ++n) {
    // The smaller a program that fails, the better.
    const std::string what = failure_of(n, 2 + static_cast<int>(n % 25));
    if (!what.empty()) FAIL(what);
  }
  std::fprintf(stderr, "phis: %llu programs; seed %llu\n", static_cast<unsigned long long>(count),
               static_cast<unsigned long long>(seed()));
}

// The loop adds to its phi before it tests; lanes that leave must keep what they had.
TEST_CASE("a phi of a single-block loop is read after the loop") {
  const std::string text = one_buffer({.element = "%float",
                                       .declarations = R"(%one = OpConstant %uint 1
%start = OpConstant %float 0
%stride = OpConstant %float 6.5
)",
                                       .body = R"(OpBranch %loop
%loop = OpLabel
%count = OpPhi %uint %zero %entry %more %loop
%sum = OpPhi %float %start %entry %next %loop
%more = OpIAdd %uint %count %one
%next = OpFAdd %float %sum %stride
%again = OpULessThan %bool %count %i
OpLoopMerge %done %loop None
OpBranchConditional %again %loop %done
%done = OpLabel
OpStore %place %sum
)"});
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_assembly(text);
    for (const int size : {1, 4, 8, 32}) {
      std::vector<float> out(8);
      shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
      for (std::size_t i = 0; i < out.size(); ++i) {
        CAPTURE(name_of(target), size, i);
        CHECK(out[i] == 6.5f * static_cast<float>(i));
      }
    }
  }
}
