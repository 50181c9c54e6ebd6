#include <limits>

#include <lockstep/glsl/functions/integer.hpp>

#include "shader/run/ops/compute.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Operations on integers.

namespace lockstep::spirv {

LOCKSTEP_COMPUTE(add_carry, L(a + b < a));
LOCKSTEP_COMPUTE(sub_borrow, L(a < b));
LOCKSTEP_COMPUTE_OF_ONE(bit_reverse, bitfieldReverse(a));
LOCKSTEP_COMPUTE_OF_ONE(bit_count, bitCount(a));
// Both of the sum, which may not fit the type.
LOCKSTEP_COMPUTE(average, (a & b) + ((a ^ b) >> L(1)));
LOCKSTEP_COMPUTE(average_rounded, (a | b) - ((a ^ b) >> L(1)));
LOCKSTEP_COMPUTE(abs_difference, select(a < b, b - a, a - b));
LOCKSTEP_COMPUTE_OF_ONE(find_lsb, findLSB(a));
LOCKSTEP_COMPUTE_OF_ONE(find_msb, findMSB(a));

template <>
struct Compute<Code::mul_high> {
  template <class T>
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      __extension__ using Wide =
          std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
    }
  }
  template <class L>
  L operator()(const L& a, const L& b) const {
    using T = typename L::value_type;
    return detail::map([](T x, T y) { return of(x, y); }, a, b);
  }
};
template <>
struct Compute<Code::add_sat> {
  template <class L>
  L operator()(const L& a, const L& b) const {
    using T = typename L::value_type;
    return detail::map(
        [](T x, T y) {
          T sum;
          if (!__builtin_add_overflow(x, y, &sum)) return sum;
          return x < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
        },
        a, b);
  }
};

template <>
struct Compute<Code::sub_sat> {
  template <class L>
  L operator()(const L& a, const L& b) const {
    using T = typename L::value_type;
    return detail::map(
        [](T x, T y) {
          T difference;
          if (!__builtin_sub_overflow(x, y, &difference)) return difference;
          return std::is_unsigned_v<T> || x < 0 ? std::numeric_limits<T>::min()
                                                : std::numeric_limits<T>::max();
        },
        a, b);
  }
};
/// As many as the number has bits where it is zero.
template <>
struct Compute<Code::leading_zeros> {
  template <class L>
  auto operator()(const L& a) const {
    using Int = Chunk<std::int32_t>;
    return Int(8 * static_cast<int>(sizeof(typename L::value_type)) - 1) - Int(findMSB(a));
  }
};
template <>
struct Compute<Code::trailing_zeros> {
  template <class L>
  auto operator()(const L& a) const {
    using Int = Chunk<std::int32_t>;
    return select(a == L(0), Int(8 * static_cast<int>(sizeof(typename L::value_type))),
                  Int(findLSB(a)));
  }
};

using BitCount = Chunk<std::uint32_t>;
template <>
struct Compute<Code::bit_insert> {
  template <class L>
  L operator()(const L& base, const L& insert, const BitCount& offset, const BitCount& bits) const {
    using Int = Chunk<std::int32_t>;
    return bitfieldInsert(base, insert, Int(offset), Int(bits));
  }
};
template <>
struct Compute<Code::bit_extract> {
  template <class L>
  L operator()(const L& base, const BitCount& offset, const BitCount& bits) const {
    using Int = Chunk<std::int32_t>;
    return bitfieldExtract(base, Int(offset), Int(bits));
  }
};

Run find_integer(Code code, Scalar type) {
  return for_integer(type, [&]<class T>() {
    return find_computed<T, Numbers::number, Numbers::wrapping_number, Numbers::integer,
                         Numbers::wrapping_integer>(code);
  });
}

}  // namespace lockstep::spirv
