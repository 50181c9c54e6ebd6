#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/texels.hpp"

/// \file
/// Every atomic that GLSL has, of every type, in every place, against a loop over invocations.

using namespace lockstep;

namespace {

constexpr int sizes[] = {1, 7, 16, 24, 32, 64, 128};
constexpr std::uint32_t lanes = 150, cells = 3;

/// A 16-bit float as a test computes with it: in double, rounded once.
struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  explicit Half(double value)
      : bits(static_cast<std::uint16_t>(test::stored_float(component, static_cast<float>(value)))) {
  }
  explicit operator double() const { return test::small_float_value(component, bits); }

  static constexpr test::StoredComponent component{test::StoredComponent::real, 16, 0};
};

template <class T>
constexpr bool is_whole = std::is_integral_v<T>;

template <class T>
double number(T value) {
  return static_cast<double>(value);
}
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The value of the cell after an invocation's turn.
template <class T>
T after(const std::string& name, T cell, T value, T compare) {
  const auto ends_in = [&](const char* end) { return name.ends_with(end); };
  if (ends_in("Exchange") || ends_in("Store")) return value;
  if (ends_in("Load")) return cell;
  if constexpr (is_whole<T>) {
    using U = std::make_unsigned_t<T>;
    const auto a = static_cast<U>(cell), b = static_cast<U>(value);
    if (ends_in("Add")) return static_cast<T>(a + b);
    if (ends_in("And")) return static_cast<T>(a & b);
    if (ends_in("Xor")) return static_cast<T>(a ^ b);
    if (ends_in("Or")) return static_cast<T>(a | b);
    if (ends_in("CompSwap")) return cell == compare ? value : cell;
    return ends_in("Min") ? std::min(cell, value) : std::max(cell, value);
  } else {
    if (ends_in("Add")) {
      // Rounding a sum twice is correct if double has more than twice the bits.
      if constexpr (std::is_same_v<T, double>) return cell + value;
      return static_cast<T>(static_cast<float>(number(cell) + number(value)));
    }
    const double a = number(cell), b = number(value);
    if (std::isnan(a)) return value;
    if (std::isnan(b)) return cell;
    return (ends_in("Min") ? b < a : b > a) ? value : cell;
  }
}

template <class T>
std::vector<T> values_of() {
  std::vector<T> values(lanes);
  std::uint64_t random = 12345;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    if constexpr (is_whole<T>) {
      values[i] = static_cast<T>(random >> 16);
    } else {
      // Sums of these are rounded; no zeros, whose order in Min and Max is open.
      values[i] = static_cast<T>(std::ldexp(1.0 + static_cast<double>(random >> 44) / (1 << 20),
                                            static_cast<int>(random >> 33 & 7) - 4) *
                                 ((random >> 40 & 1) != 0 ? 1 : -1));
    }
  }
  return values;
}
template <class T>
std::array<T, cells> first_cells() {
  if constexpr (is_whole<T>)
    return {T(5), std::numeric_limits<T>::max(), static_cast<T>(0x5555555555555555ull)};
  else
    return {static_cast<T>(0.375), static_cast<T>(-3.0), static_cast<T>(17.0)};
}

constexpr const char* head = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_image_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 150) in;
)";

/// The call of an atomic on a place by its name.
std::string call_of(const std::string& name, const std::string& place, const std::string& storage) {
  const std::string scope = ", gl_ScopeDevice, " + storage + ", gl_SemanticsRelaxed)";
  if (name.ends_with("Load")) return "old[i] = " + name + "(" + place + scope;
  if (name.ends_with("Store")) return name + "(" + place + ", values[i]" + scope;
  if (name.ends_with("CompSwap"))
    return "old[i] = " + name + "(" + place + ", compares[i], values[i])";
  return "old[i] = " + name + "(" + place + ", values[i])";
}

/// Runs the shader at all sizes and compares cells and old values. bind(shader, cells).
template <class T, class Bind>
void check(const std::string& name, const std::string& source, Bind bind) {
  std::vector<T> values = values_of<T>();
  std::vector<T> compares(lanes);
  const auto first = first_cells<T>();
  // Half of the comparisons succeed: the previous invocation updated the cell last.
  std::vector<T> want_old(lanes);
  auto want = first;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    T& cell = want[i % cells];
    compares[i] = i % 2 == 0 ? cell : values[i];
    want_old[i] = cell;
    cell = after<T>(name, cell, values[i], compares[i]);
  }
  if (name.ends_with("Store")) want_old.assign(lanes, T{});
  auto shader = Shader::from_glsl(source);
  for (const int size : sizes) {
    auto got = first;
    std::vector<T> old(lanes);
    bind(shader, got);
    shader.bind(0, values).bind(2, old).bind(3, compares);
    const auto run = shader.dispatch({1}, {.subgroup_size = size, .threads = 1});
    INFO(name << ", subgroup size " << size << "\n" << source);
    REQUIRE(run.faults == 0);
    for (std::uint32_t k = 0; k < cells; ++k) REQUIRE(same_bits(got[k], want[k]));
    for (std::uint32_t i = 0; i < lanes; ++i) REQUIRE(same_bits(old[i], want_old[i]));
  }
}

std::string buffers(const std::string& type) {
  return "layout(set = 0, binding = 0) readonly buffer In { " + type +
         " values[]; };\n"
         "layout(set = 0, binding = 2) buffer Old { " +
         type +
         " old[]; };\n"
         "layout(set = 0, binding = 3) readonly buffer Compare { " +
         type + " compares[]; };\n";
}

template <class T>
void check_memory(const std::string& type) {
  std::vector<std::string> names{"Add", "Min", "Max", "Exchange", "Load", "Store"};
  if (is_whole<T>) names.insert(names.end(), {"And", "Or", "Xor", "CompSwap"});
  const std::string main = "void main() {\n  uint i = gl_LocalInvocationIndex;\n  ";
  for (const std::string& operation : names) {
    const std::string name = "atomic" + operation;
    const std::string start = head + buffers(type);
    const std::string cell = "[i % 3u]", storage = "gl_StorageSemanticsBuffer";
    check<T>(name,
             start + "layout(set = 0, binding = 1) buffer Cells { " + type + " cells[]; };\n" +
                 main + call_of(name, "cells" + cell, storage) + ";\n}",
             [](Shader& shader, auto& got) { shader.bind(1, std::span(got.data(), got.size())); });
    check<T>(name,
             start + "layout(buffer_reference, std430) buffer Ref { " + type +
                 " cells[3]; };\nlayout(push_constant) uniform Push { Ref ref; };\n" + main +
                 call_of(name, "ref.cells" + cell, storage) + ";\n}",
             [](Shader& shader, auto& got) {
               shader.push(shader.address_of(std::as_writable_bytes(std::span(got))));
             });
    check<T>(name,
             start + "layout(set = 0, binding = 1) buffer Cells { " + type +
                 " cells[]; };\nshared " + type + " mine[3];\n" + main +
                 "if (i < 3u) mine[i] = cells[i];\n  barrier();\n  " +
                 call_of(name, "mine" + cell, "gl_StorageSemanticsShared") +
                 ";\n  barrier();\n  if (i < 3u) cells[i] = mine[i];\n}",
             [](Shader& shader, auto& got) { shader.bind(1, std::span(got.data(), got.size())); });
  }
}

template <class T>
void check_image(const std::string& type, const std::string& image, ImageFormat format) {
  std::vector<std::string> names{"Add", "Min", "Max", "Exchange", "Load", "Store"};
  if (is_whole<T>) names.insert(names.end(), {"And", "Or", "Xor", "CompSwap"});
  for (const std::string& operation : names) {
    const std::string name = "imageAtomic" + operation;
    const std::string declared =
        "layout(set = 0, binding = 1, " + std::string(to_string(format)) + ") uniform " + image;
    const std::string main = "void main() {\n  uint i = gl_LocalInvocationIndex;\n  ";
    const std::string storage = "gl_StorageSemanticsImage";
    check<T>(name,
             head + buffers(type) + declared + "Buffer cells;\n" + main +
                 call_of(name, "cells, int(i % 3u)", storage) + ";\n}",
             [&](Shader& shader, auto& got) {
               shader.bind_texels(0, 1, format, std::as_writable_bytes(std::span(got)));
             });
    std::vector<Image2D> images;
    check<T>(name,
             head + buffers(type) + declared + "2D cells;\n" + main +
                 call_of(name, "cells, ivec2(0, i % 3u)", storage) + ";\n}",
             [&](Shader& shader, auto& got) {
               images.emplace_back(format, 1, cells, std::as_writable_bytes(std::span(got)));
               shader.bind_image(1, images.back());
             });
  }
}

}  // namespace

TEST_CASE("atomics of integers, in buffers, by address and in shared memory") {
  check_memory<std::int32_t>("int");
  check_memory<std::uint32_t>("uint");
  check_memory<std::int64_t>("int64_t");
  check_memory<std::uint64_t>("uint64_t");
}

TEST_CASE("atomics of floats of each size, in buffers, by address and in shared memory") {
  check_memory<Half>("float16_t");
  check_memory<float>("float");
  check_memory<double>("double");
}

TEST_CASE("atomic minimum and maximum of floats ignore NaN") {
  for (const std::string type : {"float16_t", "float", "double"}) {
    auto shader = Shader::from_glsl(head + std::string("layout(set = 0, binding = 0) buffer B { ") +
                                    type + R"( low, high, none; };
void main() {
  uint i = gl_LocalInvocationIndex;
  )" + type + " nan = " + type + R"((uintBitsToFloat(0x7fc00000u));
  atomicMin(low, i % 3u == 1u ? nan : )" +
                                    type + "(i) + " + type + R"((2.0));
  atomicMax(high, i % 3u == 1u ? nan : )" +
                                    type + R"((i));
  atomicMax(none, nan);
})");
    for (const int size : {8, 64}) {
      const std::size_t bytes = type == "double" ? 8 : type == "float" ? 4 : 2;
      std::vector<std::byte> b(3 * bytes, std::byte{0xff});  // NaN, all of them
      shader.bind(0, b).dispatch({1}, {.subgroup_size = size, .threads = 1});
      const auto value = [&](std::size_t k) {
        if (bytes == 8) {
          double d;
          std::memcpy(&d, &b[8 * k], 8);
          return d;
        }
        if (bytes == 4) {
          float f;
          std::memcpy(&f, &b[4 * k], 4);
          return static_cast<double>(f);
        }
        Half h;
        std::memcpy(&h, &b[2 * k], 2);
        return static_cast<double>(h);
      };
      INFO(type << ", subgroup size " << size);
      CHECK(value(0) == 2);
      CHECK(value(1) == 149);
      CHECK(std::isnan(value(2)));
    }
  }
}

TEST_CASE("atomics on images of one component") {
  check_image<std::int32_t>("int", "iimage", ImageFormat::r32i);
  check_image<std::uint32_t>("uint", "uimage", ImageFormat::r32ui);
  check_image<float>("float", "image", ImageFormat::r32f);
  check_image<std::int64_t>("int64_t", "i64image", ImageFormat::r64i);
  check_image<std::uint64_t>("uint64_t", "u64image", ImageFormat::r64ui);
}

TEST_CASE("atomics on an image of another format are rejected") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D counts;
void main() { imageAtomicAdd(counts, ivec2(0), 1u); })",
                                  {}, "count.comp");
  Image2D wide(ImageFormat::rg32ui, 2, 2);
  shader.bind_image(0, wide);
  CHECK_THROWS_WITH(
      shader.dispatch({1}),
      "count.comp: set 0, binding 0 (counts) is updated by atomics, but the image bound to it is "
      "in rg32ui: atomics take images whose texels are one number of 32 or 64 bits");
}
