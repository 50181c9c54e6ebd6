#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"

/// \file
/// Elements of 8 and 16 bits in buffers, shared memory and arrays: one after the other, at one index and at an index of
/// each lane.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;

std::string with_type(std::string text, const std::string& type) {
  for (std::size_t at = 0; (at = text.find("$T", at)) != std::string::npos;)
    text.replace(at, 2, type);
  return text;
}

constexpr const char* memory_source = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_16bit_storage : enable
layout(local_size_x = 128) in;
struct Pair { $T a, b; };
layout(set = 0, binding = 0) readonly buffer In { $T head; $T values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(set = 0, binding = 2) buffer Copies { $T copies[]; };
layout(set = 0, binding = 3) readonly buffer Pairs { Pair pairs[]; };
layout(push_constant) uniform Push { uint limit; };
shared $T table[128];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  $T own = values[i];
  copies[i] = own + $T(3);
  if (i % 3u != 1u) copies[i] = own * $T(5);
  table[l] = own ^ $T(l);
  barrier();
  uint r = uint(own) + uint(table[l * 5u % 128u]) * 3u + uint(values[limit]) * 5u + uint(head) * 7u;
  uint at = (i * 7u + uint(own)) % 383u;
  if (i % 5u != 2u) r ^= uint(values[at]) * 11u + uint(pairs[at / 2u].b) * 13u + uint(pairs[i % 9u].a) * 17u;
  $T few[9];
  for (uint k = 0; k < 9; ++k) few[k] = own + $T(k);
  few[at % 9u] += $T(21);
  if (i % 4u == 1u) few[i % 7u] = $T(at);
  r += uint(few[(at + 4u) % 9u]) * 19u + uint(few[3]);
  for (uint k = 0; k < 9; ++k) r = r * 3u + uint(few[(k + limit) % 9u]);
  if (i == 77u) copies[limit * 10u] = $T(r);
  result[i] = r;
}
)";

/// What an invocation gives, and what it writes to copies.
template <class T>
struct NarrowMemory {
  std::span<const T> all;  ///< the first is the head
  U limit = 40;

  T value(U i) const { return all[i + 1]; }
  T copy(U i) const { return static_cast<T>(i % 3 != 1 ? value(i) * 5 : value(i) + 3); }
  U result(U i) const {
    const U l = i % 128, other = l * 5 % 128;
    const T own = value(i), shared = static_cast<T>(value(i - l + other) ^ other);
    U r = U{own} + U{shared} * 3 + U{value(limit)} * 5 + U{all[0]} * 7;
    const U at = (i * 7 + own) % 383;
    const auto pair = [&](U k, U part) { return U{all[2 * k + part]}; };
    if (i % 5 != 2) r ^= U{value(at)} * 11 + pair(at / 2, 1) * 13 + pair(i % 9, 0) * 17;
    T few[9];
    for (U k = 0; k < 9; ++k) few[k] = static_cast<T>(own + k);
    few[at % 9] = static_cast<T>(few[at % 9] + 21);
    if (i % 4 == 1) few[i % 7] = static_cast<T>(at);
    r += U{few[(at + 4) % 9]} * 19 + U{few[3]};
    for (U k = 0; k < 9; ++k) r = r * 3 + U{few[(k + limit) % 9]};
    return r;
  }
};

template <class T>
void check_memory_of(const std::string& type) {
  const std::string text = with_type(memory_source, type);
  INFO(text);
  constexpr U count = 384;
  std::vector<T> in(count + 1);
  for (U k = 0; k < in.size(); ++k) in[k] = static_cast<T>((k * 2654435761u) >> 11);
  const NarrowMemory<T> truth{in};
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(text);
    for (const int size : {1, 8, 24, 32, 33, 64, 128}) {
      std::vector<U> out(count, 77);
      // One more than are written, which must stay.
      std::vector<T> copies(count + 17, T{99});
      shader.bind(0, std::as_bytes(std::span(in)))
          .bind(1, out)
          .bind(2, std::as_writable_bytes(std::span(copies).first(count)))
          .bind(3, std::as_bytes(std::span(in)))
          .push(truth.limit)
          .dispatch({3}, {.subgroup_size = size});
      CAPTURE(name_of(target), size);
      for (U i = 0; i < count; ++i) {
        CAPTURE(i);
        REQUIRE(out[i] == truth.result(i));
        if (i != truth.limit * 10) REQUIRE(copies[i] == truth.copy(i));
      }
      for (U i = count; i < copies.size(); ++i) REQUIRE(copies[i] == T{99});
    }
  }
}

}  // namespace

TEST_CASE("elements of 8 and 16 bits in memory") {
  check_memory_of<std::uint8_t>("uint8_t");
  check_memory_of<std::uint16_t>("uint16_t");
}
