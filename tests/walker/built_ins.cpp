#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include <lockstep/subgroup/spec.hpp>

#include "support/settings.hpp"
#include "walker/judged.hpp"

/// \file
/// Every subgroup built-in of the table, with lanes on both sides of a branch, against the walk of each invocation.

namespace {

using namespace lockstep;
using walker_test::Seen;
using walker_test::Shader;

struct Type {
  std::string name;  ///< in GLSL
  npy::Dtype number;
  std::size_t components = 1;
};

const std::vector<Type>& types() {
  static const std::vector<Type> all{
      {"uint", npy::Dtype::uint32},       {"float", npy::Dtype::float32},
      {"bool", npy::Dtype::uint32},       {"int", npy::Dtype::int32},
      {"float16_t", npy::Dtype::float16}, {"uint8_t", npy::Dtype::uint8},
      {"double", npy::Dtype::float64},    {"int64_t", npy::Dtype::int64},
      {"int16_t", npy::Dtype::int16},     {"int8_t", npy::Dtype::int8},
      {"uint16_t", npy::Dtype::uint16},   {"uint64_t", npy::Dtype::uint64},
      {"vec3", npy::Dtype::float32, 3},   {"uvec2", npy::Dtype::uint32, 2},
      {"i16vec4", npy::Dtype::int16, 4},  {"f16vec2", npy::Dtype::float16, 2}};
  return all;
}

bool is_float(const Type& t) {
  return t.number == npy::Dtype::float16 || t.number == npy::Dtype::float32 ||
         t.number == npy::Dtype::float64;
}

bool takes(const spec::BuiltIn& b, const Type& t) {
  if (b.types == "T5") return true;
  if (b.types == "TN") return t.name != "bool";
  if (b.types == "TI") return !is_float(t);
  if (b.types == "float, int, uint")
    return t.name == "float" || t.name == "int" || t.name == "uint";
  return t.name == (b.types == "bool" ? "bool" : "uint");
}

/// Whether the argument behind the value has to be the same in all lanes.
bool wants_uniform(const std::string& name) {
  return name.starts_with("subgroupBroadcast") || name.find("otate") != std::string::npos ||
         name.starts_with("subgroupQuadBroadcast") || name == "readInvocationARB";
}

std::string arguments(const spec::BuiltIn& b, const std::string& value) {
  const std::string index = wants_uniform(std::string(b.name))
                                ? "argument[gl_WorkGroupID.x] % gl_SubgroupSize"
                                : "argument[i]";
  const bool quad = b.name.starts_with("subgroupQuad");
  switch (b.form) {
    case spec::Form::nothing:
      return "";
    case spec::Form::value_index:
      return fmt::format("{}, {}{}", value, index, quad ? " % 4u" : "");
    case spec::Form::value_index_cluster:
      return fmt::format("{}, {}, cluster", value, index);
    case spec::Form::value_cluster:
      return value + ", cluster";
    case spec::Form::value_ballot:
      return value + ", subgroupPartitionNV(argument[i] % 3u)";
    case spec::Form::ballot:
      return "subgroupBallot((argument[i] & 1u) != 0u)";
    case spec::Form::ballot_index:
      return "subgroupBallot((argument[i] & 1u) != 0u), argument[i]";
    default:
      return value;
  }
}

/// The result as something to be stored, and how many words that is.
std::string stored(const spec::BuiltIn& b, const Type& t, const std::string& call, Type& result) {
  const bool ballot =
      b.form == spec::Form::condition_to_ballot || b.form == spec::Form::value_to_ballot;
  const bool number = b.name.find("BitCount") != std::string_view::npos ||
                      b.name.find("Find") != std::string_view::npos;
  const bool truth =
      b.form == spec::Form::nothing || b.form == spec::Form::condition ||
      b.form == spec::Form::comparison || t.name == "bool" ||
      ((b.form == spec::Form::ballot || b.form == spec::Form::ballot_index) && !number);
  if (b.name == "ballotARB") {
    result = {"uint64_t", npy::Dtype::uint64};
    return call;
  }
  result = ballot            ? Type{"uvec4", npy::Dtype::uint32, 4}
           : truth || number ? Type{"uint", npy::Dtype::uint32}
                             : t;
  return truth && !ballot ? fmt::format("uint({})", call) : call;
}

std::string text_of(const spec::BuiltIn& b, const Type& t, std::uint32_t cluster, Type& result) {
  const std::string value = t.name == "bool" ? "(values[i] & 1u) != 0u" : "values[i]";
  const std::string call = stored(b, t, fmt::format("{}({})", b.name, arguments(b, value)), result);
  std::string text = "#version 460\n";
  for (const char* extension :
       {"GL_KHR_shader_subgroup_basic", "GL_KHR_shader_subgroup_ballot",
        "GL_NV_shader_subgroup_partitioned", "GL_EXT_shader_subgroup_extended_types_int8",
        "GL_EXT_shader_subgroup_extended_types_int16",
        "GL_EXT_shader_subgroup_extended_types_int64",
        "GL_EXT_shader_subgroup_extended_types_float16", "GL_EXT_shader_explicit_arithmetic_types",
        "GL_EXT_scalar_block_layout", "GL_EXT_shader_8bit_storage", "GL_EXT_shader_16bit_storage"})
    text += fmt::format("#extension {} : require\n", extension);
  if (b.place.extension.starts_with("GL_"))
    text += fmt::format("#extension {} : require\n", b.place.extension);
  return text + fmt::format(R"(layout(local_size_x_id = 0) in;
#define cluster {}u
layout(set = 0, binding = 0) buffer Sides {{ uint side[]; }};
layout(set = 0, binding = 1) buffer Arguments {{ uint argument[]; }};
layout(set = 0, binding = 2, scalar) buffer Values {{ {} values[]; }};
layout(set = 0, binding = 3, scalar) buffer Results {{ {} results[]; }};
void main() {{
  const uint i = gl_GlobalInvocationID.x;
  if (side[i] != 0u)
    results[i] = {};
  else
    results[i] = {};
}}
)",
                            cluster, t.name == "bool" ? "uint" : t.name, result.name, call, call);
}

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof(T));
}

/// Numbers of few digits, so that sums and products neither overflow nor are all exact; random bits of integers.
void put_number(std::vector<std::byte>& bytes, const Type& t, std::mt19937_64& random) {
  const double x =
      (random() % 2 != 0 ? -1 : 1) * (0.75 + static_cast<double>(random() % 512) / 1024);
  if (t.number == npy::Dtype::float16) return put(bytes, float16_t(static_cast<float>(x)));
  if (t.number == npy::Dtype::float32) return put(bytes, static_cast<float>(x));
  if (t.number == npy::Dtype::float64) return put(bytes, x);
  const std::uint64_t bits = random() % 4 == 0 ? random() % 3 : random();
  const auto* from = reinterpret_cast<const std::byte*>(&bits);
  bytes.insert(bytes.end(), from, from + io::bytes_of(t.number));
}

Shader shader_of(const spec::BuiltIn& b, const Type& t, int size, std::mt19937_64& random) {
  Shader shader;
  Type result;
  shader.subgroup_size = size;
  shader.workgroups = 4;
  std::uint32_t cluster = 1;
  while (cluster * 2 <= static_cast<std::uint32_t>(size) && random() % 4 != 0) cluster *= 2;
  shader.text = text_of(b, t, cluster, result);
  shader.type = result.number;
  shader.spec = {{0, static_cast<std::uint32_t>(size)}};
  shader.buffers.resize(4);
  const auto lanes = static_cast<std::uint32_t>(size);
  const std::uint32_t one = static_cast<std::uint32_t>(random() % lanes);
  for (std::uint32_t i = 0; i < 4 * lanes; ++i) {
    // All, all but one, alternating, random.
    const std::uint32_t lane = i % lanes;
    const bool sides[] = {true, lane != one, lane % 2 == 0, random() % 3 != 0};
    put(shader.buffers[0], std::uint32_t{sides[i / lanes]});
    put(shader.buffers[1], static_cast<std::uint32_t>(random() % (lanes + lanes / 8)));
    for (std::size_t k = 0; k < t.components; ++k) put_number(shader.buffers[2], t, random);
  }
  shader.buffers[3].resize(4 * lanes * result.components * io::bytes_of(result.number));
  return shader;
}

TEST_CASE("every built-in gives in each lane what the walk of each invocation gives") {
  constexpr int sizes[] = {32, 5, 8, 128, 1, 2, 64, 3, 16, 100, 4, 24, 31, 33, 127};
  std::mt19937_64 random(test::seed());
  Seen all;
  std::size_t next = 0;
#if defined(LOCKSTEP_TEST_REDUCED)
  constexpr std::size_t types_of_each = 2;
#else
  constexpr std::size_t types_of_each = 5;
#endif
  for (const spec::BuiltIn& b : spec::functions()) {
    std::vector<Type> taken;
    for (const Type& t : types())
      if (takes(b, t)) taken.push_back(t);
    const bool full = test::full_run();
    const std::size_t count = full ? taken.size() : std::min(taken.size(), types_of_each);
    for (std::size_t k = 0; k < count; ++k) {
      const Type& t = taken[(full ? k : k + next) % taken.size()];
      for (std::size_t s = 0; s < (full ? std::size(sizes) : 1); ++s, ++next) {
        const int size = sizes[next % std::size(sizes)];
        INFO(b.name << " of " << t.name);
        const Seen seen = walker_test::compare(shader_of(b, t, size, random));
        all.equal += seen.equal, all.allowed += seen.allowed, all.undefined += seen.undefined;
      }
    }
  }
  // Bits that must agree, float sums that may differ, and lanes without a result have all been seen.
  CHECK(all.equal > 1000);
  CHECK(all.allowed > 20);
  CHECK(all.undefined > 200);
}

}  // namespace
