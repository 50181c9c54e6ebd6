#include "shader/front/mutants.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "shader/front/decoded_module.hpp"

/// \file
/// The faults that `lockstep verify --mutate` plants.

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

std::vector<std::string> list_of(const Module& module) {
  std::vector<std::string> lines;
  for (const spirv::Mutant& mutant : spirv::mutants_of(module.decoded()->module, "main"))
    lines.push_back(
        fmt::format("{} {}: {}", mutant.where.line, spirv::name_of(mutant.kind), mutant.change));
  return lines;
}

Module mutant_of(const Module& module, std::size_t number) {
  return module.with_words(spirv::mutated(module.decoded()->module, "main", number));
}

/// What the shader writes to its only buffer of 8 numbers.
std::vector<Uint> result_of(const Module& module) {
  std::vector<Uint> numbers(8);
  DescriptorTable table;
  table.set(0).bind(0, std::span(numbers));
  Pipeline(module, {}).dispatch(table, {.workgroups = {1, 1, 1}});
  return numbers;
}

const std::string head =
    "#version 450\n"
    "layout(local_size_x = 8) in;\n"
    "layout(binding = 0) buffer B { uint o[8]; };\n";

}  // namespace

TEST_CASE("each comparison of numbers has a mutant that is off by one") {
  struct Row {
    const char* condition;
    const char* change;
    bool (*truth)(Uint i);  ///< of the mutant
  };
  const Row rows[] = {
      {"i < 3u", "<= instead of <", [](Uint i) { return i <= 3; }},
      {"i <= 3u", "< instead of <=", [](Uint i) { return i < 3; }},
      {"i > 3u", ">= instead of >", [](Uint i) { return i >= 3; }},
      {"i >= 3u", "> instead of >=", [](Uint i) { return i > 3; }},
      {"i == 3u", "== to one more", [](Uint i) { return i == 4; }},
      {"i != 3u", "!= to one more", [](Uint i) { return i != 4; }},
      {"int(i) - 4 < -1", "<= instead of <", [](Uint i) { return int(i) - 4 <= -1; }},
      {"int(i) - 4 >= -1", "> instead of >=", [](Uint i) { return int(i) - 4 > -1; }},
      {"int(i) - 4 == -1", "== to one more", [](Uint i) { return int(i) - 4 == 0; }},
      {"float(i) < 3.0", "<= instead of <", [](Uint i) { return i <= 3; }},
      {"float(i) >= 3.0", "> instead of >=", [](Uint i) { return i > 3; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.condition);
    const Module module = Module::from_glsl(
        head + "void main() {\n  uint i = gl_LocalInvocationID.x;\n  o[i] = " + row.condition +
        " ? 1u : 0u;\n}\n");
    REQUIRE(list_of(module) ==
            std::vector<std::string>{std::string("6 comparison: ") + row.change});
    std::vector<Uint> expected;
    for (Uint i = 0; i < 8; ++i) expected.push_back(row.truth(i) ? 1 : 0);
    CHECK(result_of(mutant_of(module, 1)) == expected);
  }
}

TEST_CASE("barriers, memory barriers, coherent and scopes have mutants") {
  const Module module = Module::from_glsl(
      "#version 450\n"
      "layout(local_size_x = 8) in;\n"
      "layout(binding = 0) coherent buffer B { uint o[8]; };\n"
      "shared uint s[8];\n"
      "void main() {\n"
      "  uint i = gl_LocalInvocationID.x;\n"
      "  s[i] = i;\n"
      "  barrier();\n"
      "  o[i] = s[7u - i];\n"
      "  memoryBarrierBuffer();\n"
      "  atomicAdd(o[0], 1u);\n"
      "  atomicAdd(s[0], 1u);\n"
      "}\n");
  CHECK(list_of(module) ==
        std::vector<std::string>{
            "0 coherent: coherent of B.o deleted", "8 barrier: barrier() deleted",
            "8 scope: barrier's scope of execution subgroup instead of workgroup",
            "8 scope: barrier's scope of memory subgroup instead of workgroup",
            "10 memory barrier: memory barrier deleted",
            "10 scope: memory barrier's scope workgroup instead of device",
            "11 scope: atomic's scope workgroup instead of device",
            "12 scope: atomic's scope subgroup instead of device"});
  for (std::size_t number = 1; number <= 8; ++number) {
    CAPTURE(number);
    CHECK(list_of(mutant_of(module, number)) !=
          list_of(module));  // it is valid, and another module
  }
  CHECK(list_of(mutant_of(module, 2)).size() == 5);
  CHECK(mutant_of(module, 2).words().size() == module.words().size() - 4);
}

TEST_CASE("a memory barrier beside a barrier that orders as much has no mutant") {
  const auto with = [](const char* barriers) {
    return list_of(Module::from_glsl(head + "shared uint s[8];\nvoid main() {\n  s[0] = 1u;\n" +
                                     barriers + "\n  o[0] = s[0];\n}\n"));
  };
  const std::size_t alone = with("barrier();").size();
  CHECK(alone == 3);
  CHECK(with("memoryBarrierShared(); barrier();").size() == alone);
  CHECK(with("barrier(); memoryBarrierShared();").size() == alone);
  CHECK(with("memoryBarrierBuffer(); barrier();").size() == alone + 2);
}

TEST_CASE("coherent of the Vulkan memory model changes for all accesses of a variable") {
  const Module module = Module::from_glsl(
      "#version 450\n"
      "#extension GL_KHR_memory_scope_semantics : enable\n"
      "#pragma use_vulkan_memory_model\n"
      "layout(local_size_x = 8) in;\n"
      "layout(binding = 0) devicecoherent buffer B { uint o[8]; };\n"
      "void main() {\n"
      "  o[1] = o[2];\n"
      "  o[3] = 4u;\n"
      "}\n");
  REQUIRE(list_of(module) ==
          std::vector<std::string>{"7 coherent: coherent of B deleted",
                                   "7 scope: scope of coherent B workgroup instead of device"});
  CHECK(list_of(mutant_of(module, 1)).empty());
  CHECK(list_of(mutant_of(module, 2))[1] ==
        "7 scope: scope of coherent B subgroup instead of workgroup");
}

TEST_CASE("only what the entry point calls has mutants, once for each place") {
  const Module module = Module::from_glsl(head +
                                          "uint larger(uint x) { return x < 5u ? x : 5u; }\n"
                                          "uint unused(uint x) { return x > 5u ? x : 5u; }\n"
                                          "void main() { o[0] = larger(o[1]) + larger(o[2]); }\n");
  CHECK(list_of(module) == std::vector<std::string>{"4 comparison: <= instead of <"});
}

TEST_CASE(
    "a module with other words keeps what the validator does not know, and HLSL's registers") {
  const Module module = Module::from_glsl(
      "#version 450\n"
      "#extension GL_EXT_maximal_reconvergence : require\n"
      "layout(local_size_x = 8) in;\n"
      "layout(binding = 0) buffer B { uint o[8]; };\n"
      "void main() [[maximally_reconverges]] { o[0] = o[1] < 2u ? 1u : 0u; }\n");
  REQUIRE(module.decoded()->maximally_reconverges);
  CHECK(mutant_of(module, 1).decoded()->maximally_reconverges);
  const Module hlsl = Module::from_hlsl(
      "RWStructuredBuffer<uint> o : register(u2);\n"
      "[numthreads(8, 1, 1)] void main() { o[0] = o[1] < 2 ? 1 : 0; }\n");
  CHECK(reflect(mutant_of(hlsl, 1)).bindings.at(0).hlsl_register == "u2");
  std::vector<std::uint32_t> cut(module.words().begin(), module.words().end() - 1);
  CHECK_THROWS_AS(module.with_words(cut), Error);
}

TEST_CASE("a mutant that there is not is an error that says how many there are") {
  const auto error_of = [](const Module& module, std::size_t number) -> std::string {
    try {
      mutant_of(module, number);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Module none = Module::from_glsl(head + "void main() { o[0] = 1u; }\n", {}, "none.comp");
  CHECK(error_of(none, 1) == "none.comp: has no mutant 1: it has none");
  const Module one =
      Module::from_glsl(head + "void main() { o[0] = o[1] < 2u ? 1u : 0u; }\n", {}, "one.comp");
  CHECK(error_of(one, 2) == "one.comp: has no mutant 2: it has 1 to 1");
  CHECK(error_of(one, 0) == "one.comp: has no mutant 0: it has 1 to 1");
}
