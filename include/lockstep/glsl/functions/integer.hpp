#pragma once

#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup integer Integer functions (GLSL 4.60, 8.8)
///
/// Requires      T is an integer type of 8, 16, 32 or 64 bits; the four extended operations take
///               uint, or int for imulExtended. offset and bits may be plain scalars, and so may
///               one argument of the extended operations and base or insert.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: an offset wraps modulo the width, and bits outside 0 to the width mean all
///               bits (GLSL leaves a field that does not fit undefined).
/// Cost          SIMD: 2 to 30 instructions per register of lanes.
/// Spec          GLSL names as below · SPIR-V OpIAddCarry, OpISubBorrow, OpUMulExtended,
///               OpSMulExtended, OpBitFieldSExtract, OpBitFieldUExtract, OpBitFieldInsert,
///               OpBitReverse, OpBitCount, GLSL.std.450 FindILsb, FindSMsb, FindUMsb
/// Example       tests/glsl/functions/integer.cpp Functions with two results return them in a
///               struct instead of through out-parameters, because plain lanes cannot be assigned
///               to; a kernel assigns the members to its variables, or writes `const auto [sum,
///               carry] = uaddCarry(x, y);`.
/// @{

namespace detail {

template <class T>
inline constexpr int bit_width_of = 8 * static_cast<int>(sizeof(T));

/// Ones in every other group of Step bits, from the lowest up: 0x55... for 1, 0x33... for 2.
template <class U, int Step>
inline constexpr U alternate_bits = static_cast<U>(static_cast<U>(~U{0}) /
                                                   ((std::uint64_t{1} << Step) + 1));

template <Integer T, int W>
LOCKSTEP_INLINE auto as_unsigned(const Lanes<T, W>& v) {
  return Lanes<std::make_unsigned_t<T>, W>(v);
}

/// Swaps neighbouring groups of Step bits, then of 2 * Step, up to half the width.
template <int Step, class U, int W>
LOCKSTEP_INLINE Lanes<U, W> reverse_groups(const Lanes<U, W>& v) {
  constexpr U low = alternate_bits<U, Step>;
  const Lanes<U, W> swapped = ((v >> U{Step}) & low) | ((v & low) << U{Step});
  if constexpr (2 * Step < bit_width_of<U>)
    return reverse_groups<2 * Step>(swapped);
  else
    return swapped;
}

/// Adds neighbouring groups of Step bits, then of 2 * Step, up to half the width.
template <int Step, class U, int W>
LOCKSTEP_INLINE Lanes<U, W> add_groups(const Lanes<U, W>& v) {
  constexpr U low = alternate_bits<U, Step>;
  const Lanes<U, W> sums = (v & low) + ((v >> U{Step}) & low);
  if constexpr (2 * Step < bit_width_of<U>)
    return add_groups<2 * Step>(sums);
  else
    return sums;
}

/// Sets every bit below the highest set one.
template <int Step, class U, int W>
LOCKSTEP_INLINE Lanes<U, W> fill_below(const Lanes<U, W>& v) {
  const Lanes<U, W> filled = v | (v >> U{Step});
  if constexpr (2 * Step < bit_width_of<U>)
    return fill_below<2 * Step>(filled);
  else
    return filled;
}

/// The lowest `bits` bits set; all of them if `bits` is the width or more.
template <Integer U, int W>
LOCKSTEP_INLINE Lanes<U, W> low_bits(const Lanes<std::int32_t, W>& bits) {
  const Lanes<U, W> one(U{1});
  const auto all = as_unsigned(bits) >= std::uint32_t{bit_width_of<U>};
  return select(all, Lanes<U, W>(static_cast<U>(~U{0})), (one << Lanes<U, W>(bits)) - one);
}

/// The upper half of the 64-bit product, computed from products of 16-bit halves.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> high_product(const Lanes<std::uint32_t, W>& x,
                                                     const Lanes<std::uint32_t, W>& y) {
  using Uint = Lanes<std::uint32_t, W>;
  const Uint x_low = x & 0xFFFFu, x_high = x >> 16u;
  const Uint y_low = y & 0xFFFFu, y_high = y >> 16u;
  const Uint first = x_high * y_low + ((x_low * y_low) >> 16u);
  const Uint second = x_low * y_high + (first & 0xFFFFu);
  return x_high * y_high + (first >> 16u) + (second >> 16u);
}

}  // namespace detail

/// The result of uaddCarry: GLSL's return value and out-parameter.
template <int W>
struct AddCarryResult {
  Lanes<std::uint32_t, W> sum, carry;
};
/// x + y modulo 2^32, and a carry of 1 where the true sum is larger, else 0.
template <int W>
LOCKSTEP_INLINE AddCarryResult<W> uaddCarry(
    const Lanes<std::uint32_t, W>& x, const std::type_identity_t<Lanes<std::uint32_t, W>>& y) {
  const Lanes<std::uint32_t, W> sum = x + y;
  return {sum, Lanes<std::uint32_t, W>(sum < x)};
}
template <int W>
LOCKSTEP_INLINE AddCarryResult<W> uaddCarry(std::uint32_t x, const Lanes<std::uint32_t, W>& y) {
  return uaddCarry(Lanes<std::uint32_t, W>(x), y);
}

/// The result of usubBorrow: GLSL's return value and out-parameter.
template <int W>
struct SubBorrowResult {
  Lanes<std::uint32_t, W> difference, borrow;
};
/// x - y modulo 2^32, and a borrow of 1 where x < y, else 0.
template <int W>
LOCKSTEP_INLINE SubBorrowResult<W> usubBorrow(
    const Lanes<std::uint32_t, W>& x, const std::type_identity_t<Lanes<std::uint32_t, W>>& y) {
  return {x - y, Lanes<std::uint32_t, W>(x < y)};
}
template <int W>
LOCKSTEP_INLINE SubBorrowResult<W> usubBorrow(std::uint32_t x, const Lanes<std::uint32_t, W>& y) {
  return usubBorrow(Lanes<std::uint32_t, W>(x), y);
}

/// The result of umulExtended and imulExtended: GLSL's two out-parameters.
template <class T, int W>
struct MulExtendedResult {
  Lanes<T, W> msb, lsb;
};
/// The 64-bit product of two uint, as its upper and lower half.
template <int W>
LOCKSTEP_INLINE MulExtendedResult<std::uint32_t, W> umulExtended(
    const Lanes<std::uint32_t, W>& x, const std::type_identity_t<Lanes<std::uint32_t, W>>& y) {
  return {detail::high_product(x, y), x * y};
}
template <int W>
LOCKSTEP_INLINE MulExtendedResult<std::uint32_t, W> umulExtended(std::uint32_t x,
                                                                 const Lanes<std::uint32_t, W>& y) {
  return umulExtended(Lanes<std::uint32_t, W>(x), y);
}
/// The 64-bit product of two int, as its upper and lower half.
template <int W>
LOCKSTEP_INLINE MulExtendedResult<std::int32_t, W> imulExtended(
    const Lanes<std::int32_t, W>& x, const std::type_identity_t<Lanes<std::int32_t, W>>& y) {
  // A negative number is its unsigned interpretation minus 2^32.
  const Lanes<std::int32_t, W> product(
      detail::high_product(detail::as_unsigned(x), detail::as_unsigned(y)));
  return {product - ((x >> 31) & y) - ((y >> 31) & x), x * y};
}
template <int W>
LOCKSTEP_INLINE MulExtendedResult<std::int32_t, W> imulExtended(std::int32_t x,
                                                                const Lanes<std::int32_t, W>& y) {
  return imulExtended(Lanes<std::int32_t, W>(x), y);
}

/// The `bits` bits of value from bit `offset` up: sign-extended for signed types, 0 for no bits.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<T, W> bitfieldExtract(
    const Lanes<T, W>& value, const std::type_identity_t<Lanes<std::int32_t, W>>& offset,
    const std::type_identity_t<Lanes<std::int32_t, W>>& bits) {
  using U = std::make_unsigned_t<T>;
  const Lanes<U, W> kept = detail::low_bits<U>(bits);
  const Lanes<U, W> field = (detail::as_unsigned(value) >> Lanes<U, W>(offset)) & kept;
  if constexpr (std::is_signed_v<T>) {
    const Lanes<U, W> sign = kept ^ (kept >> U{1});
    return Lanes<T, W>((field ^ sign) - sign);
  } else {
    return field;
  }
}
/// base with the `bits` bits from bit `offset` up replaced by the lowest bits of insert.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<T, W> bitfieldInsert(
    const Lanes<T, W>& base, const std::type_identity_t<Lanes<T, W>>& insert,
    const std::type_identity_t<Lanes<std::int32_t, W>>& offset,
    const std::type_identity_t<Lanes<std::int32_t, W>>& bits) {
  using U = std::make_unsigned_t<T>;
  const Lanes<U, W> position(offset);
  const Lanes<T, W> field(detail::low_bits<U>(bits) << position);
  return (base & ~field) | (Lanes<T, W>(detail::as_unsigned(insert) << position) & field);
}
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<T, W> bitfieldInsert(
    std::type_identity_t<T> base, const Lanes<T, W>& insert,
    const std::type_identity_t<Lanes<std::int32_t, W>>& offset,
    const std::type_identity_t<Lanes<std::int32_t, W>>& bits) {
  return bitfieldInsert(Lanes<T, W>(base), insert, offset, bits);
}
/// The bits in reverse order.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<T, W> bitfieldReverse(const Lanes<T, W>& value) {
  return Lanes<T, W>(detail::reverse_groups<1>(detail::as_unsigned(value)));
}
/// The number of set bits.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<std::int32_t, W> bitCount(const Lanes<T, W>& value) {
  return Lanes<std::int32_t, W>(detail::add_groups<1>(detail::as_unsigned(value)));
}
/// The number of the lowest set bit; -1 for 0.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<std::int32_t, W> findLSB(const Lanes<T, W>& value) {
  const auto bits = detail::as_unsigned(value);
  const auto none = bits == std::make_unsigned_t<T>{0};
  const auto below = ~bits & (bits - std::make_unsigned_t<T>{1});
  return select(none, std::int32_t{-1}, bitCount(below));
}
/// The number of the highest set bit, or, for negative values, of the highest clear bit; -1 for 0
/// and -1.
template <detail::Integer T, int W>
LOCKSTEP_INLINE Lanes<std::int32_t, W> findMSB(const Lanes<T, W>& value) {
  if constexpr (std::is_signed_v<T>) {
    const Lanes<T, W> sign = value >> T{detail::bit_width_of<T> - 1};
    return findMSB(detail::as_unsigned(value ^ sign));
  } else {
    return bitCount(detail::fill_below<1>(value)) - std::int32_t{1};
  }
}

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
