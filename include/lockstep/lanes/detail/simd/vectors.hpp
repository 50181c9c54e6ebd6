#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <lockstep/config.hpp>
#include <lockstep/lanes/detail/math.hpp>

/// \file
/// Vector types for transcendental functions. They are the compilers' vector extensions, so one source serves every
/// instruction set. Results have the same bits everywhere because IEEE 754 defines the result of each operation used; a
/// multiplication and an addition are fused only where the product is exact. Each lane depends on its own argument alone.

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

template <class T, int N>
struct VectorOf {
  using type [[gnu::vector_size(N * sizeof(T))]] = T;
};
/// N numbers of type T.
template <class T, int N>
using Vector = typename VectorOf<T, N>::type;

template <class V>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<V>()[0])>;
};
template <class V>
requires std::is_arithmetic_v<V>
struct ElementOf<V> {
  using type = V;
};
/// The numbers of a vector; of one number, itself.
template <class V>
using Element = typename ElementOf<V>::type;
template <class V>
inline constexpr int size_of = static_cast<int>(sizeof(V) / sizeof(Element<V>));

/// Unsigned integers of the size of V's elements.
template <class V>
using Bits =
    Vector<std::conditional_t<sizeof(Element<V>) == 4, std::uint32_t, std::uint64_t>, size_of<V>>;
template <class V>
using SignedBits =
    Vector<std::conditional_t<sizeof(Element<V>) == 4, std::int32_t, std::int64_t>, size_of<V>>;

template <class V>
LOCKSTEP_INLINE V all(Element<V> value) {
  // x - 0 is x, also for -0, and compiles to nothing.
  return value - V{};
}
template <class V>
LOCKSTEP_INLINE Bits<V> bits_of(const V& v) {
  return same_bits<Bits<V>>(v);
}
/// yes where the comparison holds, no elsewhere.
template <class M, class V>
LOCKSTEP_INLINE V choose(const M& holds, const V& yes, const V& no) {
  return holds ? yes : no;
}

template <class V>
inline constexpr Element<Bits<V>> sign_bit = Element<Bits<V>>{1} << (8 * sizeof(Element<V>) - 1);

template <class V>
LOCKSTEP_INLINE V magnitude(const V& v) {
  return same_bits<V>(bits_of(v) & (sign_bit<V> - 1));
}
/// A number without a sign, with the sign of another.
template <class V>
LOCKSTEP_INLINE V with_sign_of(const V& v, const V& sign) {
  return same_bits<V>((bits_of(v) & (sign_bit<V> - 1)) | (bits_of(sign) & sign_bit<V>));
}
/// v, negated where the highest of `bits` is set.
template <class V>
LOCKSTEP_INLINE V negated_by(const V& v, const Bits<V>& bits) {
  return same_bits<V>(bits_of(v) ^ (bits & sign_bit<V>));
}

// g++ 12 makes a minimum with a constant a comparison and a selection.
#if LOCKSTEP_REGISTER_BYTES > 0 && !defined(LOCKSTEP_NEON)
LOCKSTEP_INLINE __m128 lesser(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
LOCKSTEP_INLINE __m128d lesser(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
LOCKSTEP_INLINE __m128 greater(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
LOCKSTEP_INLINE __m128d greater(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
#endif
#if LOCKSTEP_REGISTER_BYTES >= 32
LOCKSTEP_INLINE __m256 lesser(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
LOCKSTEP_INLINE __m256d lesser(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
LOCKSTEP_INLINE __m256 greater(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
LOCKSTEP_INLINE __m256d greater(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
#endif
#if LOCKSTEP_REGISTER_BYTES == 64
LOCKSTEP_INLINE __m512 lesser(__m512 a, __m512 b) { return _mm512_maskz_min_ps(0xFFFF, a, b); }
LOCKSTEP_INLINE __m512d lesser(__m512d a, __m512d b) { return _mm512_maskz_min_pd(0xFF, a, b); }
LOCKSTEP_INLINE __m512 greater(__m512 a, __m512 b) { return _mm512_maskz_max_ps(0xFFFF, a, b); }
LOCKSTEP_INLINE __m512d greater(__m512d a, __m512d b) { return _mm512_maskz_max_pd(0xFF, a, b); }
#endif
/// a if a < b, else b, also for NaN.
template <class V>
LOCKSTEP_INLINE V lesser_of(const V& a, const V& b) {
  if constexpr (requires { lesser(a, b); })
    return lesser(a, b);
  else
    return a < b ? a : b;
}
/// a if a > b, else b, also for NaN.
template <class V>
LOCKSTEP_INLINE V greater_of(const V& a, const V& b) {
  if constexpr (requires { greater(a, b); })
    return greater(a, b);
  else
    return a > b ? a : b;
}

/// v, but at most `high`; NaN remains.
template <class V>
LOCKSTEP_INLINE V at_most(Element<V> high, const V& v) {
  return lesser_of(all<V>(high), v);
}
/// v, but at least `low`; NaN remains.
template <class V>
LOCKSTEP_INLINE V at_least(Element<V> low, const V& v) {
  return greater_of(all<V>(low), v);
}
/// v, but at most `high`, which also replaces NaN.
template <class V>
LOCKSTEP_INLINE V below(Element<V> high, const V& v) {
  return lesser_of(v, all<V>(high));
}

/// The NaN of results outside a function's domain. Those that instructions make differ in sign.
template <class V>
LOCKSTEP_INLINE V not_a_number() {
  return all<V>(sizeof(Element<V>) == 4 ? static_cast<Element<V>>(__builtin_nanf(""))
                                        : static_cast<Element<V>>(__builtin_nan("")));
}

/// c0 + x (c1 + x (c2 + ...)), one operation after another.
template <class V>
LOCKSTEP_INLINE Element<V> horner(const V&, Element<V> c) {
  return c;
}
template <class V, class... C>
LOCKSTEP_INLINE V horner(const V& x, Element<V> c, C... more) {
  return c + x * horner(x, more...);
}

/// The polynomial with these coefficients, beginning with that of 1. The even and the odd part of a long one are computed
/// side by side: a chain of all operations would wait for each result.
template <class V, class... C>
LOCKSTEP_INLINE V polynomial(const V& x, C... c) {
  constexpr int count = sizeof...(C);
  if constexpr (count <= 4) {
    return horner(x, c...);
  } else {
    const Element<V> of[] = {c...};
    const V square = x * x;
    return [&]<int... E, int... O>(std::integer_sequence<int, E...>,
                                   std::integer_sequence<int, O...>)
        __attribute__((always_inline)) {
      return horner(square, of[2 * E]...) + x * horner(square, of[2 * O + 1]...);
    }
    (std::make_integer_sequence<int, (count + 1) / 2>{},
     std::make_integer_sequence<int, count / 2>{});
  }
}

/// x - n c, where n c is exact: with and without a fused operation the same.
template <class V>
LOCKSTEP_INLINE V minus_exact_product(const V& x, const V& n, Element<V> c) {
  if constexpr (requires { fused(n, n, x); })
    return fused(n, all<V>(-c), x);
  else
    return x - n * c;
}

/// x + rounding is an integer for |x| < 2^22 or 2^51, the nearest to x, in its lowest bits; minus rounding it is that
/// number. No instruction for this is the same everywhere.
template <class V>
inline constexpr Element<V> rounding = sizeof(Element<V>) == 4 ? static_cast<Element<V>>(0x1.8p23)
                                                               : static_cast<Element<V>>(0x1.8p52);

/// 2^n, of n's lowest bits. Never NaN.
template <class V>
LOCKSTEP_INLINE V power_of_two(const Bits<V>& n) {
  constexpr int fraction = sizeof(Element<V>) == 4 ? 23 : 52;
  constexpr Element<Bits<V>> bias = sizeof(Element<V>) == 4 ? 127 : 1023;
  return same_bits<V>((n + bias) << fraction);
}

/// Whether a comparison holds in any lane.
template <class M>
LOCKSTEP_INLINE bool any(const M& holds) {
#if defined(LOCKSTEP_NEON)
  if constexpr (sizeof(M) == 16) return vmaxvq_u32(same_bits<uint32x4_t>(holds)) != 0;
#elif LOCKSTEP_REGISTER_BYTES > 0
  if constexpr (sizeof(M) == 16) return _mm_movemask_epi8(same_bits<__m128i>(holds)) != 0;
#if LOCKSTEP_REGISTER_BYTES >= 32
  if constexpr (sizeof(M) == 32) return _mm256_movemask_epi8(same_bits<__m256i>(holds)) != 0;
#endif
#if LOCKSTEP_REGISTER_BYTES >= 64
  if constexpr (sizeof(M) == 64) return _mm512_movepi32_mask(same_bits<__m512i>(holds)) != 0;
#endif
#endif
  bool found = false;
  for (int i = 0; i < size_of<M>; ++i) found = found || holds[i] != 0;
  return found;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
