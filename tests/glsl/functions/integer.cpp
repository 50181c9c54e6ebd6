#include <lockstep/glsl/functions/integer.hpp>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Int = std::int32_t;
using Uint = std::uint32_t;
using TypesAtSizes = TypeList<Int, Uint, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                              std::int64_t, std::uint64_t>;

template <class T>
constexpr int bits_in = 8 * static_cast<int>(sizeof(T));

template <class T>
bool bit(T x, int k) {
  return (bits_of(x) >> k & 1) != 0;
}
template <class T>
T with_bit(T x, int k, bool value) {
  const auto one = static_cast<BitsOf<T>>(BitsOf<T>{1} << k);
  return static_cast<T>(value ? bits_of(x) | one : bits_of(x) & ~one);
}

/// Bit by bit; an offset counts modulo the width, bits outside 0 to the width count as the width.
template <class T>
T extracted(T value, Int offset, Int bits) {
  const int width = bits_in<T>;
  const int from = (offset % width + width) % width;
  const int count = bits < 0 || bits > width ? width : bits;
  T result = 0;
  for (int k = 0; k < width; ++k) {
    const int source = std::is_signed_v<T> && k >= count ? count - 1 : k;
    const bool inside = source >= 0 && source < count && from + source < width;
    result = with_bit(result, k, inside && bit(value, from + source));
  }
  return result;
}
template <class T>
T inserted(T base, T insert, Int offset, Int bits) {
  const int width = bits_in<T>;
  const int from = (offset % width + width) % width;
  const int count = bits < 0 || bits > width ? width : bits;
  T result = base;
  for (int k = 0; k < count && from + k < width; ++k)
    result = with_bit(result, from + k, bit(insert, k));
  return result;
}

}  // namespace

TEST_CASE("Integers: sums and differences with carry") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto values = integer_values<Uint>();
    const auto wide = [](Uint x) { return std::uint64_t{x}; };
    const auto carry = [=](Uint x, Uint y) { return static_cast<Uint>((wide(x) + wide(y)) >> 32); };
    const auto sum = [=](Uint x, Uint y) { return static_cast<Uint>(wide(x) + wide(y)); };
    check<W>(
        "uaddCarry, sum", [](const auto& x, const auto& y) { return uaddCarry(x, y).sum; }, sum,
        values, values);
    check<W>(
        "uaddCarry, carry", [](const auto& x, const auto& y) { return uaddCarry(x, y).carry; },
        carry, values, values);
    const auto borrow = [](Uint x, Uint y) { return Uint{x >= y ? 0u : 1u}; };
    const auto difference = [=](Uint x, Uint y) {
      return static_cast<Uint>(wide(x) + (wide(1) << 32) - wide(y));
    };
    check<W>(
        "usubBorrow, difference",
        [](const auto& x, const auto& y) { return usubBorrow(x, y).difference; }, difference,
        values, values);
    check<W>(
        "usubBorrow, borrow", [](const auto& x, const auto& y) { return usubBorrow(x, y).borrow; },
        borrow, values, values);
    check<W>(
        "with scalars",
        [](const auto& x) {
          return uaddCarry(Derived<Uint, W>(x), 9u).carry + uaddCarry(0xFFFFFFF0u, x).carry +
                 usubBorrow(x, 9u).borrow + usubBorrow(9u, x).borrow;
        },
        [=](Uint x) { return carry(x, 9) + carry(0xFFFFFFF0u, x) + borrow(x, 9) + borrow(9, x); },
        values);
  });
}

TEST_CASE("Integers: products of twice the width") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto unsigned_values = integer_values<Uint>();
    const auto umsb = [](Uint x, Uint y) { return static_cast<Uint>(std::uint64_t{x} * y >> 32); };
    check<W>(
        "umulExtended, msb", [](const auto& x, const auto& y) { return umulExtended(x, y).msb; },
        umsb, unsigned_values, unsigned_values);
    check<W>(
        "umulExtended, lsb", [](const auto& x, const auto& y) { return umulExtended(x, y).lsb; },
        [](Uint x, Uint y) { return static_cast<Uint>(std::uint64_t{x} * y); }, unsigned_values,
        unsigned_values);
    const auto values = integer_values<Int>();
    const auto imsb = [](Int x, Int y) { return static_cast<Int>(std::int64_t{x} * y >> 32); };
    check<W>(
        "imulExtended, msb", [](const auto& x, const auto& y) { return imulExtended(x, y).msb; },
        imsb, values, values);
    check<W>(
        "imulExtended, lsb", [](const auto& x, const auto& y) { return imulExtended(x, y).lsb; },
        [](Int x, Int y) { return static_cast<Int>(std::int64_t{x} * y & 0xFFFFFFFF); }, values,
        values);
    check<W>(
        "umulExtended with a scalar",
        [](const auto& x) { return umulExtended(0x12345678u, x).msb ^ umulExtended(x, 3u).msb; },
        [=](Uint x) { return umsb(0x12345678u, x) ^ umsb(x, 3); }, unsigned_values);
    check<W>(
        "imulExtended with a scalar",
        [](const auto& x) { return imulExtended(-77777, x).msb ^ imulExtended(x, -3).msb; },
        [=](Int x) { return imsb(-77777, x) ^ imsb(x, -3); }, values);
  });
}

TEST_CASE("Integers: fields of bits") {
  for_each_size_of(TypesAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = integer_values<T>();
    std::vector<Int> places;
    for (Int i = -2; i <= bits_in<T> + 2; ++i) places.push_back(i);
    check<W>(
        "bitfieldExtract",
        [](const auto& v, const auto& offset, const auto& bits) {
          return bitfieldExtract(v, offset, bits);
        },
        extracted<T>, values, places, places);
    check<W>(
        "bitfieldExtract by scalars",
        [](const auto& v) { return bitfieldExtract(Derived<T, W>(v), 3, 5); },
        [](T x) { return extracted<T>(x, 3, 5); }, values);
    check<W>(
        "bitfieldInsert",
        [](const auto& base, const auto& insert, const auto& offset, const auto& bits) {
          return bitfieldInsert(base, insert, offset, bits);
        },
        inserted<T>, values, values, places, places);
    const T base(0x55);
    check<W>(
        "bitfieldInsert with scalars",
        [&](const auto& v) {
          return bitfieldInsert(base, v, 2, 4) ^ bitfieldInsert(v, base, 1, 7);
        },
        [&](T x) {
          return expected::bit_xor(inserted<T>(base, x, 2, 4), inserted<T>(x, base, 1, 7));
        },
        values);
  });
}

TEST_CASE("Integers: reversing, counting and finding bits") {
  for_each_size_of(TypesAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = integer_values<T>();
    check<W>(
        "bitfieldReverse", [](const auto& v) { return bitfieldReverse(v); },
        [](T x) {
          T result = 0;
          for (int k = 0; k < bits_in<T>; ++k)
            result = with_bit(result, bits_in<T> - 1 - k, bit(x, k));
          return result;
        },
        values);
    check<W>(
        "bitCount", [](const auto& v) { return bitCount(Derived<T, W>(v)); },
        [](T x) {
          Int count = 0;
          for (int k = 0; k < bits_in<T>; ++k) count += bit(x, k) ? 1 : 0;
          return count;
        },
        values);
    check<W>(
        "findLSB", [](const auto& v) { return findLSB(v); },
        [](T x) -> Int {
          for (int k = 0; k < bits_in<T>; ++k) {
            if (bit(x, k)) return k;
          }
          return -1;
        },
        values);
    check<W>(
        "findMSB", [](const auto& v) { return findMSB(v); },
        [](T x) -> Int {
          const bool wanted = std::is_unsigned_v<T> || x >= 0;
          for (int k = bits_in<T> - 1; k >= 0; --k) {
            if (bit(x, k) == wanted) return k;
          }
          return -1;
        },
        values);
  });
}
