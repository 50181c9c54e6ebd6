#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"

/// \file
/// Integers of 8 and 16 bits: in machine code and without it they give what one invocation computes in C++.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;

/// The bodies below are of a type T and the wider type W of the same kind.
std::string of_type(std::string text, const std::string& type) {
  const std::string digits = type.find("16") != std::string::npos ? "32_t" : "16_t";
  const std::string wide = (type[0] == 'u' ? "uint" : "int") + digits;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"$T", type}, {"$W", wide}})
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, 2, to);
  return text;
}

constexpr const char* before = R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint limit; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = values[i], r = 0;
)";

template <class F>
void check_text(const std::string& body, F f) {
  const auto in = numbers();
  const std::string source = before + body + "  result[i] = r;\n}\n";
  INFO(source);
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(source);
    for (const int size : {1, 8, 24, 32, 33, 64, 128}) {
      std::vector<U> out(in.size(), 77);
      shader.bind(0, in).bind(1, out).push(U{40}).dispatch({3}, {.subgroup_size = size});
      CAPTURE(name_of(target), size);
      for (U i = 0; i < in.size(); ++i) {
        CAPTURE(i, in[i]);
        REQUIRE(out[i] == f(in[i], i));
      }
    }
  }
}

template <class T>
U to_uint(T x) {
  return static_cast<U>(static_cast<std::conditional_t<std::is_signed_v<T>, std::int32_t, U>>(x));
}

constexpr const char* arithmetic = R"(
  $T a = $T(x), b = $T(x >> 9) ^ $T(i), c = $T(i * 7u), l = $T(limit);
  for (uint k = 0; k < 3; ++k) {
    if (i % 3u != k) a = a * b + c; else a = a - c * $T(3);
    if ((x >> k) % 5u == 4u) b = (b & a) | (c ^ ~a);
    c = -c + (a << $T(2)) + (a >> $T(3)) + (b << (a & $T(7))) + (b >> (c & $T(7))) - (l >> (b & $T(3)));
    if (a < b) c = max(a, min(b, c)); else if (a >= c) c = c * $T(23) * l;
    if (a == c || b != a && b <= c) a = clamp(a, $T(5), $T(90)); else b += $T(a * a * $T(16));
    if (x % 13u == k) break;
  }
  r = uint(a) + uint(b) * 3u + uint(c) * 5u;
)";
template <class T>
U arithmetic_of(U x, U i) {
  const auto shift_left = [](T v, int by) { return static_cast<T>(static_cast<U>(v) << by); };
  const auto wrap = [](auto v) { return static_cast<T>(v); };
  // Products of 16-bit numbers as int would overflow.
  const auto times = [](T p, T q) { return static_cast<T>(static_cast<U>(p) * static_cast<U>(q)); };
  T a = wrap(x), b = wrap(wrap(x >> 9) ^ wrap(i)), c = wrap(i * 7);
  const T l = 40;
  for (U k = 0; k < 3; ++k) {
    a = i % 3 != k ? wrap(times(a, b) + c) : wrap(a - times(c, 3));
    if ((x >> k) % 5 == 4) b = wrap((b & a) | (c ^ ~a));
    const T up = shift_left(b, a & 7), down = wrap(b >> (c & 7));
    c = wrap(-c + shift_left(a, 2) + (a >> 3) + up + down - (l >> (b & 3)));
    if (a < b)
      c = std::max(a, std::min(b, c));
    else if (a >= c)
      c = times(times(c, 23), l);
    if (a == c || (b != a && b <= c))
      a = std::min(std::max(a, T{5}), T{90});
    else
      b = wrap(b + times(times(a, a), 16));
    if (x % 13 == k) break;
  }
  return to_uint(a) + to_uint(b) * 3 + to_uint(c) * 5;
}

constexpr const char* conversions = R"(
  $T a = $T(x);
  float f = float(int(x)) * 0.001 - 40.0, nan = uintBitsToFloat(0x7fc00000u);
  $W w = $W(a);
  r = uint(w) + uint($T(w >> $W(1))) * 3u + uint($T(i % 4u == 1u ? nan : f)) * 5u + uint(int(float(a) * 0.5)) * 7u;
  if (i % 3u != 0u) r ^= uint(uint64_t(a) >> 20) + uint($T(uint64_t(x) << 3)) * 11u;
  int64_t s = int64_t(a) * 3l;
  r += uint(s) ^ uint(s >> 32) ^ uint($T(s >> 1));
  float16_t h = float16_t(a) * float16_t(0.25);
  r = r * 13u + uint($T(h)) + uint(int(h)) + uint($T(float16_t(i % 5u == 2u ? nan : f)));
  r += uint(int(double(a) * 0.5lf));
  if (bool(a)) r += uint($T(i % 2u == 0u)) * 17u;
)";
template <class T, class From>
T nearest(From x) {
  const double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return x != x ? T{0} : static_cast<T>(std::min(std::max(static_cast<double>(x), low), high));
}
template <class T, class Wide>
U conversions_of(U x, U i) {
  const auto a = static_cast<T>(x);
  const float product = static_cast<float>(static_cast<std::int32_t>(x)) * 0.001f;
  const float f = product - 40.0f, nan = std::numeric_limits<float>::quiet_NaN();
  const auto w = static_cast<Wide>(a);
  U r = to_uint(w) + to_uint(static_cast<T>(w >> 1)) * 3 +
        to_uint(nearest<T>(i % 4 == 1 ? nan : f)) * 5 +
        static_cast<U>(static_cast<std::int32_t>(static_cast<float>(a) * 0.5f)) * 7;
  if (i % 3 != 0)
    r ^= static_cast<U>(static_cast<std::uint64_t>(static_cast<std::int64_t>(a)) >> 20) +
         to_uint(static_cast<T>(std::uint64_t{x} << 3)) * 11;
  const std::int64_t s = static_cast<std::int64_t>(a) * 3;
  r += static_cast<U>(s) ^ static_cast<U>(s >> 32) ^ to_uint(static_cast<T>(s >> 1));
  const float16_t h = float16_t(static_cast<float>(a)) * float16_t(0.25f);
  const auto whole = static_cast<U>(nearest<std::int32_t>(static_cast<float>(h)));
  r = r * 13 + to_uint(nearest<T>(static_cast<float>(h))) + whole +
      to_uint(nearest<T>(static_cast<float>(float16_t(i % 5 == 2 ? nan : f))));
  r += static_cast<U>(static_cast<std::int32_t>(static_cast<double>(a) * 0.5));
  if (a != 0) r += i % 2 == 0 ? 17 : 0;
  return r;
}

}  // namespace

TEST_CASE("arithmetic on integers of 8 and 16 bits, in loops and selections") {
  check_text(of_type(arithmetic, "int8_t"), arithmetic_of<std::int8_t>);
  check_text(of_type(arithmetic, "uint8_t"), arithmetic_of<std::uint8_t>);
  check_text(of_type(arithmetic, "int16_t"), arithmetic_of<std::int16_t>);
  check_text(of_type(arithmetic, "uint16_t"), arithmetic_of<std::uint16_t>);
}

TEST_CASE("conversions of integers of 8 and 16 bits") {
  check_text(of_type(conversions, "int8_t"), conversions_of<std::int8_t, std::int16_t>);
  check_text(of_type(conversions, "uint8_t"), conversions_of<std::uint8_t, std::uint16_t>);
  check_text(of_type(conversions, "int16_t"), conversions_of<std::int16_t, std::int32_t>);
  check_text(of_type(conversions, "uint16_t"), conversions_of<std::uint16_t, std::uint32_t>);
}

TEST_CASE("pieces of integers, and integers of pieces") {
  check_text(R"(
  u8vec4 b = unpack8(x);
  u16vec2 h = unpack16(x);
  uint64_t w = uint64_t(x) << 20 ^ uint64_t(i);
  u16vec4 q = unpack16(w);
  if (i % 3u != 1u) { b = b.wzyx; h.y ^= uint16_t(i); q = q.yxwz; }
  uint64_t back = pack64(q);
  r = pack32(b) + pack32(h) * 3u + uint(back) * 5u + uint(back >> 32) * 7u;
  r ^= uint(pack16(b.xz)) + uint(unpack8(h.y).y) * 11u + unpack32(w).y * 13u;
  r += unpack32(pack64(uvec2(r, x))).x;
)",
             [](U x, U i) {
               U b = x, h = x;
               const std::uint64_t w = std::uint64_t{x} << 20 ^ i;
               std::uint64_t q = w;
               if (i % 3 != 1) {
                 b = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
                 h ^= i << 16;
                 q = (w & 0x0000ffff0000ffff) << 16 | (w >> 16 & 0x0000ffff0000ffff);
               }
               U r = b + h * 3 + static_cast<U>(q) * 5 + static_cast<U>(q >> 32) * 7;
               r ^=
                   ((b & 0xff) | (b >> 8 & 0xff00)) + (h >> 24) * 11 + static_cast<U>(w >> 32) * 13;
               return r + r;
             });
}
