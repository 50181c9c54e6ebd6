#pragma once

#include <cstdint>

#include <lockstep/lanes/detail/batch.hpp>

/// \file
/// Batches of 16-bit floats where the processor converts them to float and back: 16-bit integer
/// operations move bits, float operations do arithmetic.

namespace lockstep::inline LOCKSTEP_ABI::detail {

#if LOCKSTEP_REGISTER_BYTES >= 32 && defined(__F16C__)

LOCKSTEP_INLINE __m256 widen(__m128i halves) { return _mm256_cvtph_ps(halves); }
LOCKSTEP_INLINE __m128i narrow(__m256 floats) {
  return _mm256_cvtps_ph(floats, _MM_FROUND_TO_NEAREST_INT);
}
#if LOCKSTEP_REGISTER_BYTES == 64
// Masked with all lanes: g++ 12 warns about the unmasked forms.
LOCKSTEP_INLINE __m512 widen(__m256i halves) { return _mm512_maskz_cvtph_ps(0xFFFF, halves); }
LOCKSTEP_INLINE __m256i narrow(__m512 floats) {
  return _mm512_maskz_cvtps_ph(0xFFFF, floats, _MM_FROUND_TO_NEAREST_INT);
}
#endif

template <class T, int N>
inline constexpr bool has_halves = sizeof(T) == 2 && is_register<std::uint16_t, N>;

/// Operations on N lanes of T, a 16-bit float. float holds the exact sum, difference and product of
/// two, and enough of the quotient for the second rounding to be correct.
template <class T, int N>
struct HalfOps : LoopOps<T, N> {
  using type = ArrayBatch<T, N>;

  LOCKSTEP_INLINE static type add(const type& a, const type& b) {
    return in_float(LOCKSTEP_INLINED(Float::add), a, b);
  }
  LOCKSTEP_INLINE static type sub(const type& a, const type& b) {
    return in_float(LOCKSTEP_INLINED(Float::sub), a, b);
  }
  LOCKSTEP_INLINE static type mul(const type& a, const type& b) {
    return in_float(LOCKSTEP_INLINED(Float::mul), a, b);
  }
  LOCKSTEP_INLINE static type div(const type& a, const type& b) {
    return in_float(LOCKSTEP_INLINED(Float::div), a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t equal(const type& a, const type& b) {
    return test_float(LOCKSTEP_INLINED(Float::equal), a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t less(const type& a, const type& b) {
    return test_float(LOCKSTEP_INLINED(Float::less), a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t less_equal(const type& a, const type& b) {
    return test_float(LOCKSTEP_INLINED(Float::less_equal), a, b);
  }
  LOCKSTEP_INLINE static type min(const type& a, const type& b) { return select(less(a, b), a, b); }
  LOCKSTEP_INLINE static type max(const type& a, const type& b) { return select(less(b, a), a, b); }
  LOCKSTEP_INLINE static type neg(const type& a) {
    return halves(Word::bit_xor(words(a), Word::splat(0x8000)));
  }
  LOCKSTEP_INLINE static type select(std::uint64_t bits, const type& a, const type& b) {
    return halves(Word::select(bits, words(a), words(b)));
  }
  template <class From>
  LOCKSTEP_INLINE static type shuffle(const type& a, const type& b) {
    return halves(Word::template shuffle<From>(words(a), words(b)));
  }

 private:
  using Word = BatchOps<std::uint16_t, N>;
  static constexpr int lanes_each = scalar::min(N, LOCKSTEP_REGISTER_BYTES / 4);
  using Float = BatchOps<float, lanes_each>;
  using Half = decltype(narrow(typename Float::type().data));

  LOCKSTEP_INLINE static typename Word::type words(const type& v) {
    return same_bits<typename Word::type>(v);
  }
  LOCKSTEP_INLINE static type halves(const typename Word::type& v) { return same_bits<type>(v); }

  LOCKSTEP_INLINE static typename Float::type floats(const type& v, int first) {
    Half half;
    __builtin_memcpy(&half, v.data + first, sizeof half);
    return Float::batch(widen(half));
  }
  template <class F>
  LOCKSTEP_INLINE static type in_float(F f, const type& a, const type& b) {
    type r;
    unrolled<N / lanes_each>([&](auto k) __attribute__((always_inline)) {
      const int first = k * lanes_each;
      const Half half = narrow(f(floats(a, first), floats(b, first)).data);
      __builtin_memcpy(static_cast<void*>(r.data + first), &half, sizeof half);
    });
    return r;
  }
  template <class F>
  LOCKSTEP_INLINE static std::uint64_t test_float(F f, const type& a, const type& b) {
    std::uint64_t bits = 0;
    unrolled<N / lanes_each>([&](auto k) __attribute__((always_inline)) {
      const int first = k * lanes_each;
      bits |= f(floats(a, first), floats(b, first)) << first;
    });
    return bits;
  }
};

#else

template <class T, int N>
inline constexpr bool has_halves = false;
template <class T, int N>
using HalfOps = LoopOps<T, N>;

#endif

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
