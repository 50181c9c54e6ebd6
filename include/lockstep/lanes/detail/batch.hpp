#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lockstep/config.hpp>
#include <lockstep/lanes/detail/mask_registers.hpp>
#include <lockstep/lanes/detail/scalar.hpp>

#if LOCKSTEP_REGISTER_BYTES > 0
#if defined(LOCKSTEP_NEON)
#include <arm_neon.h>
#elif defined(__SSE3__)
#include <immintrin.h>
#else
#include <emmintrin.h>  // all of immintrin.h takes g++ 12 a third of a second longer
#endif
#endif

/// \file
/// N lanes of T that fit one SIMD register, and the operations that Lanes is built from. There are
/// two implementations: registers where one of that size exists, plain loops elsewhere (tiny
/// subgroups, processors without a known register; for float16 see halves.hpp). Operations are
/// written with the compilers' vector extensions, which need no case for each instruction set; the
/// only intrinsics convert between masks and vectors.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Whether N lanes of T fill a SIMD register of this build exactly.
template <class T, int N>
inline constexpr bool is_register = LOCKSTEP_REGISTER_BYTES > 0 &&
                                    std::is_arithmetic_v<T>&& N* static_cast<int>(sizeof(T)) >=
                                        16 &&
                                    N* static_cast<int>(sizeof(T)) <= LOCKSTEP_REGISTER_BYTES;

/// N lanes of T in plain memory.
template <class T, int N>
struct ArrayBatch {
  T data[N];
};

/// Operations on batches of N lanes of T. Masks of lanes are the low N bits of a 64-bit integer.
template <class T, int N, bool Register = is_register<T, N>>
struct BatchOps;

template <class T, int N>
using Batch = typename BatchOps<T, N>::type;

/// Compile-time for loop: f(integral_constant 0) ... f(integral_constant N - 1).
template <int N, class F>
LOCKSTEP_INLINE constexpr void unrolled(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, N>{});
}

/// One lane after another.
template <class T, int N>
struct LoopOps {
  using type = ArrayBatch<T, N>;

  /// A batch of another element type with the same bits.
  template <class U>
  LOCKSTEP_INLINE static type reinterpret(const ArrayBatch<U, N>& v) {
    return same_bits<type>(v);
  }
  LOCKSTEP_INLINE static T first(const type& v) { return v.data[0]; }
  LOCKSTEP_INLINE static type splat(T value) {
    type r;
    for (int i = 0; i < N; ++i) r.data[i] = value;
    return r;
  }
  LOCKSTEP_INLINE static type load(const T* from) {
    type r;
    for (int i = 0; i < N; ++i) r.data[i] = from[i];
    return r;
  }
  LOCKSTEP_INLINE static void store(T* to, const type& v) {
    for (int i = 0; i < N; ++i) to[i] = v.data[i];
  }

  template <class F, class... V>
  LOCKSTEP_INLINE static type each(F f, const V&... v) {
    type r;
    for (int i = 0; i < N; ++i) r.data[i] = f(v.data[i]...);
    return r;
  }
  template <class F>
  LOCKSTEP_INLINE static std::uint64_t test(F f, const type& a, const type& b) {
    std::uint64_t bits = 0;
    for (int i = 0; i < N; ++i) bits |= static_cast<std::uint64_t>(f(a.data[i], b.data[i])) << i;
    return bits;
  }

  LOCKSTEP_INLINE static type add(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::add<T>), a, b);
  }
  LOCKSTEP_INLINE static type sub(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::sub<T>), a, b);
  }
  LOCKSTEP_INLINE static type mul(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::mul<T>), a, b);
  }
  LOCKSTEP_INLINE static type div(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::div<T>), a, b);
  }
  LOCKSTEP_INLINE static type min(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::min<T>), a, b);
  }
  LOCKSTEP_INLINE static type max(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::max<T>), a, b);
  }
  LOCKSTEP_INLINE static type shl(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::shl<T>), a, b);
  }
  LOCKSTEP_INLINE static type shr(const type& a, const type& b) {
    return each(LOCKSTEP_INLINED(scalar::shr<T>), a, b);
  }
  LOCKSTEP_INLINE static type neg(const type& a) {
    if constexpr (Floating<T>)
      return each([](T x) { return static_cast<T>(-x); }, a);
    else
      return sub(splat(0), a);
  }
  LOCKSTEP_INLINE static type bit_and(const type& a, const type& b) {
    return each([](T x, T y) { return static_cast<T>(x & y); }, a, b);
  }
  LOCKSTEP_INLINE static type bit_or(const type& a, const type& b) {
    return each([](T x, T y) { return static_cast<T>(x | y); }, a, b);
  }
  LOCKSTEP_INLINE static type bit_xor(const type& a, const type& b) {
    return each([](T x, T y) { return static_cast<T>(x ^ y); }, a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t equal(const type& a, const type& b) {
    return test([](T x, T y) { return x == y; }, a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t less(const type& a, const type& b) {
    return test([](T x, T y) { return x < y; }, a, b);
  }
  LOCKSTEP_INLINE static std::uint64_t less_equal(const type& a, const type& b) {
    return test([](T x, T y) { return x <= y; }, a, b);
  }
  LOCKSTEP_INLINE static type select(std::uint64_t bits, const type& a, const type& b) {
    type r;
    for (int i = 0; i < N; ++i) r.data[i] = (bits >> i & 1) != 0 ? a.data[i] : b.data[i];
    return r;
  }

  /// Lane i takes a's lane From(i) when From(i) < N, else b's lane From(i) - N.
  template <class From>
  LOCKSTEP_INLINE static type shuffle(const type& a, const type& b) {
    type r;
    for (int i = 0; i < N; ++i) {
      const int from = From::lane(i);
      r.data[i] = from < N ? a.data[from] : b.data[from - N];
    }
    return r;
  }
};

template <class T, int N>
struct BatchOps<T, N, false> : LoopOps<T, N> {};

#if LOCKSTEP_REGISTER_BYTES > 0

// g++ 12 warns about its own AVX-512 intrinsics, which start from a deliberately undefined
// register, wherever they are inlined. Users should not see these warnings.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// N lanes of T in one register.
template <class T, int N>
struct RegisterBatch {
  using Vector [[gnu::vector_size(N * sizeof(T))]] = T;
  Vector data;
};

template <class T, int N>
struct BatchOps<T, N, true> {
  using type = RegisterBatch<T, N>;
  using Vector = typename type::Vector;
  using Bits = std::conditional_t<
      sizeof(T) == 1, std::int8_t,
      std::conditional_t<sizeof(T) == 2, std::int16_t,
                         std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
  using UnsignedBits = std::make_unsigned_t<Bits>;
  using BitsVector [[gnu::vector_size(N * sizeof(T))]] = Bits;
  using UnsignedVector [[gnu::vector_size(N * sizeof(T))]] = UnsignedBits;
  static constexpr bool has_masks = N * sizeof(T) == 64;

  LOCKSTEP_INLINE static Vector vector(const type& v) { return v.data; }
  template <class V>
  LOCKSTEP_INLINE static UnsignedVector raw(const V& v) {
    return same_bits<UnsignedVector>(v);
  }
  template <class V>
  LOCKSTEP_INLINE static type batch(const V& v) {
    return same_bits<type>(v);
  }

  // Integers as unsigned, because unsigned arithmetic wraps.
  LOCKSTEP_INLINE static auto arithmetic(const type& v) {
    if constexpr (std::is_integral_v<T>)
      return raw(v.data);
    else
      return vector(v);
  }

  /// A batch of another element type with the same bits.
  template <class U>
  LOCKSTEP_INLINE static type reinterpret(const U& v) {
    return batch(v.data);
  }
  LOCKSTEP_INLINE static T first(const type& v) { return vector(v)[0]; }
  LOCKSTEP_INLINE static type splat(T value) {
    // x - 0 is x, also for -0, and compiles to nothing.
    if constexpr (std::is_integral_v<T>)
      return batch(UnsignedVector{} + static_cast<UnsignedBits>(value));
    else
      return batch(value - Vector{});
  }
  LOCKSTEP_INLINE static type load(const T* from) {
    Vector r;
    __builtin_memcpy(&r, from, sizeof r);
    return {r};
  }
  LOCKSTEP_INLINE static void store(T* to, const type& v) {
    const Vector r = v.data;
    __builtin_memcpy(to, &r, sizeof r);
  }

  LOCKSTEP_INLINE static type add(const type& a, const type& b) {
    return batch(arithmetic(a) + arithmetic(b));
  }
  LOCKSTEP_INLINE static type sub(const type& a, const type& b) {
    return batch(arithmetic(a) - arithmetic(b));
  }
  LOCKSTEP_INLINE static type mul(const type& a, const type& b) {
    return batch(arithmetic(a) * arithmetic(b));
  }
  LOCKSTEP_INLINE static type div(const type& a,
                                  const type& b) requires std::is_floating_point_v<T> {
    return batch(vector(a) / vector(b));
  }
  LOCKSTEP_INLINE static type min(const type& a, const type& b) {
    // Each operand is read once: otherwise g++ 12 compares and blends.
    const Vector x = a.data, y = b.data;
    return batch(x < y ? x : y);
  }
  LOCKSTEP_INLINE static type max(const type& a, const type& b) {
    const Vector x = a.data, y = b.data;
    return batch(x > y ? x : y);
  }
  LOCKSTEP_INLINE static type shl(const type& a, const type& b) {
    constexpr UnsignedBits in_range = 8 * sizeof(T) - 1;
    return batch(raw(a.data) << (raw(b.data) & in_range));
  }
  LOCKSTEP_INLINE static type shr(const type& a, const type& b) {
    constexpr T in_range = 8 * sizeof(T) - 1;
    return batch(vector(a) >> (vector(b) & in_range));
  }
  LOCKSTEP_INLINE static type neg(const type& a) {
    if constexpr (std::is_integral_v<T>)
      return batch(-raw(a.data));
    else
      return batch(raw(a.data) ^ UnsignedBits(UnsignedBits{1} << (8 * sizeof(T) - 1)));
  }
  LOCKSTEP_INLINE static type bit_and(const type& a, const type& b) {
    return batch(raw(a.data) & raw(b.data));
  }
  LOCKSTEP_INLINE static type bit_or(const type& a, const type& b) {
    return batch(raw(a.data) | raw(b.data));
  }
  LOCKSTEP_INLINE static type bit_xor(const type& a, const type& b) {
    return batch(raw(a.data) ^ raw(b.data));
  }

  LOCKSTEP_INLINE static std::uint64_t equal(const type& a, const type& b) {
    if constexpr (has_masks)
      return compare_lanes<T, Comparison::equal>(a.data, b.data);
    else
      return to_bits(vector(a) == vector(b));
  }
  LOCKSTEP_INLINE static std::uint64_t less(const type& a, const type& b) {
    if constexpr (has_masks)
      return compare_lanes<T, Comparison::less>(a.data, b.data);
    else
      return to_bits(vector(a) < vector(b));
  }
  LOCKSTEP_INLINE static std::uint64_t less_equal(const type& a, const type& b) {
    if constexpr (has_masks)
      return compare_lanes<T, Comparison::less_equal>(a.data, b.data);
    else
      return to_bits(vector(a) <= vector(b));
  }

  LOCKSTEP_INLINE static type select(std::uint64_t bits, const type& a, const type& b) {
    if constexpr (has_masks)
      return batch(choose_lanes<T>(bits, a.data, b.data));
    else
      return batch(from_bits(bits) ? vector(a) : vector(b));
  }

  template <class From>
  LOCKSTEP_INLINE static type shuffle(const type& a, const type& b) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return batch(__builtin_shufflevector(vector(a), vector(b), From::lane(I)...));
    }
    (std::make_integer_sequence<int, N>{});
  }

  /// One bit per lane from lanes that are all ones or all zeros. 16- and 32-byte registers only.
  template <class V>
  LOCKSTEP_INLINE static std::uint64_t to_bits(const V& lanes) {
    if constexpr (N * sizeof(T) == 32) {
#if LOCKSTEP_REGISTER_BYTES >= 32
      if constexpr (sizeof(T) == 8) {
        return static_cast<unsigned>(_mm256_movemask_pd(same_bits<__m256d>(lanes)));
      } else if constexpr (sizeof(T) == 4) {
        return static_cast<unsigned>(_mm256_movemask_ps(same_bits<__m256>(lanes)));
      } else if constexpr (sizeof(T) == 2) {
        const auto v = same_bits<__m256i>(lanes);
        const __m128i bytes =
            _mm_packs_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        return static_cast<unsigned>(_mm_movemask_epi8(bytes));
      } else {
        return static_cast<unsigned>(_mm256_movemask_epi8(same_bits<__m256i>(lanes)));
      }
#endif
    } else {
#if defined(LOCKSTEP_NEON)
      // Each lane keeps its own bit; their sum is the mask. Bytes have room for 8 bits: halves apart.
      if constexpr (sizeof(T) == 8) {
        const auto v = same_bits<uint64x2_t>(lanes);
        return (vgetq_lane_u64(v, 0) & 1) | (vgetq_lane_u64(v, 1) & 2);
      } else if constexpr (sizeof(T) == 4) {
        constexpr uint32x4_t own{1, 2, 4, 8};
        return vaddvq_u32(vandq_u32(same_bits<uint32x4_t>(lanes), own));
      } else if constexpr (sizeof(T) == 2) {
        constexpr uint16x8_t own{1, 2, 4, 8, 16, 32, 64, 128};
        return vaddvq_u16(vandq_u16(same_bits<uint16x8_t>(lanes), own));
      } else {
        constexpr uint8x16_t own{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        const uint8x16_t bits = vandq_u8(same_bits<uint8x16_t>(lanes), own);
        return vaddv_u8(vget_low_u8(bits)) |
               static_cast<std::uint64_t>(vaddv_u8(vget_high_u8(bits))) << 8;
      }
#else
      if constexpr (sizeof(T) == 8) {
        return static_cast<unsigned>(_mm_movemask_pd(same_bits<__m128d>(lanes)));
      } else if constexpr (sizeof(T) == 4) {
        return static_cast<unsigned>(_mm_movemask_ps(same_bits<__m128>(lanes)));
      } else if constexpr (sizeof(T) == 2) {
        const auto v = same_bits<__m128i>(lanes);
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(v, _mm_setzero_si128())));
      } else {
        return static_cast<unsigned>(_mm_movemask_epi8(same_bits<__m128i>(lanes)));
      }
#endif
    }
  }

  /// All ones in the lanes whose bit is set, zeros elsewhere. 16- and 32-byte registers only.
  LOCKSTEP_INLINE static BitsVector from_bits(std::uint64_t bits) {
    if constexpr (N <= 8 * static_cast<int>(sizeof(T))) {
      // Each lane holds the whole mask and tests its own bit.
      const BitsVector mine = own_bit(std::make_integer_sequence<int, N>{});
      return ((BitsVector{} + static_cast<Bits>(bits)) & mine) == mine;
    } else {
      return bytes_from_bits(bits, std::make_integer_sequence<int, N>{});
    }
  }

 private:
  template <int... I>
  LOCKSTEP_INLINE static BitsVector own_bit(std::integer_sequence<int, I...>) {
    return BitsVector{static_cast<Bits>(std::uint64_t{1} << I)...};
  }

  // Bytes hold only 8 bits of the mask: lane i gets mask byte i / 8, then tests bit i % 8.
  template <int... I>
  LOCKSTEP_INLINE static BitsVector bytes_from_bits(std::uint64_t bits,
                                                    std::integer_sequence<int, I...>) {
    using Words [[gnu::vector_size(N * sizeof(T))]] = std::uint64_t;
    const auto bytes = same_bits<BitsVector>(Words{} + bits);
    const BitsVector spread = __builtin_shufflevector(bytes, bytes, (I / 8)...);
    const BitsVector mine{static_cast<Bits>(1u << (I % 8))...};
    return (spread & mine) == mine;
  }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // LOCKSTEP_REGISTER_BYTES > 0

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
