#include "spirv/native_check.hpp"

#include <cstdint>

#include <catch2/catch.hpp>

/// \file
/// Products of integers that fit in 16 bits, and of ones that do not quite, in machine code and without it; and places of
/// array elements in structures.

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;
using S = std::int32_t;

S low_byte(U x) { return static_cast<std::int8_t>(x); }
S low_half(U x) { return static_cast<std::int16_t>(x); }
U times(S a, S b) { return static_cast<U>(a) * static_cast<U>(b); }

}  // namespace

TEST_CASE("products of integers that fit in 16 bits") {
  check(R"(
  int a = int(x) << 24 >> 24, b = int(x << 9) >> 16, c = int(x >> 17), d = int(x & 0x7fffu), e = int(x & 0xffffu);
  uint r = uint(a * b) + uint(b * b) * 3u + uint(a * c) * 5u + uint(d * b) * 7u + uint(c * d) * 11u + uint(e * d);
  r ^= uint(b * -32768) + uint(b * 32767) * 3u + uint(b * 32768) * 5u + uint(b * -32769) * 7u + uint(c * 1234) * 11u;
  if (i % 3u != 1u) r += uint((d + 1) * b) + uint((c - d) * b) * 3u + (x >> 16) * (x >> 24) * 5u + uint(e * e);
  r += uint((a - 1) * (b + 1)) + uint((b - 1) * a) * 3u + uint(int(limit) * b) * 5u + uint((b + b) * a) * 7u;
  result[i] = r + uint(a * a * a) + uint(a * a * b) * 3u;
)",
        [](U x, U i) {
          const S a = low_byte(x), b = low_half(x << 9 >> 16), c = static_cast<S>(x >> 17),
                  d = static_cast<S>(x & 0x7fff), e = static_cast<S>(x & 0xffff);
          U r = times(a, b) + times(b, b) * 3 + times(a, c) * 5 + times(d, b) * 7 +
                times(c, d) * 11 + times(e, d);
          r ^= times(b, -32768) + times(b, 32767) * 3 + times(b, 32768) * 5 + times(b, -32769) * 7 +
               times(c, 1234) * 11;
          if (i % 3 != 1)
            r += times(d + 1, b) + times(c - d, b) * 3 + (x >> 16) * (x >> 24) * 5 + times(e, e);
          r += times(a - 1, b + 1) + times(b - 1, a) * 3 + times(40, b) * 5 + times(b + b, a) * 7;
          return r + times(a * a, a) + times(a * a, b) * 3;
        });
}
