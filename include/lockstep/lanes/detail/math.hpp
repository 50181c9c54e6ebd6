#pragma once

#include <cstring>

#include <lockstep/lanes/detail/libm.hpp>
#include <lockstep/lanes/lanes.hpp>

/// \file
/// Floating-point functions with one exact result, on lanes: a batch at a time. float16 computes in
/// float, which holds every result before rounding. detail/simd has the transcendental functions.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The bits of a floating-point type: sign, exponent, fraction.
template <Floating T>
struct FloatFormat {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  static constexpr int fraction_bits = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
  static constexpr int exponent_bits = static_cast<int>(8 * sizeof(T)) - 1 - fraction_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr Bits sign = static_cast<Bits>(std::uint64_t{1} << (8 * sizeof(T) - 1));
  static constexpr Bits lowest_normal = static_cast<Bits>(std::uint64_t{1} << fraction_bits);
  static constexpr Bits infinity = static_cast<Bits>(sign - lowest_normal);
};

/// The types of GLSL's transcendental functions, which exclude double.
template <class T>
concept HalfOrSingle = Floating<T> && sizeof(T) <= 4;

/// The type in which a component type's functions are computed.
template <Floating T>
using Real = std::conditional_t<sizeof(T) == 8, double, float>;

namespace scalar {

template <Floating T>
LOCKSTEP_INLINE T floor(T x) {
  return static_cast<T>(libm::floor(static_cast<Real<T>>(x)));
}
template <Floating T>
LOCKSTEP_INLINE T ceil(T x) {
  return static_cast<T>(libm::ceil(static_cast<Real<T>>(x)));
}
template <Floating T>
LOCKSTEP_INLINE T trunc(T x) {
  return static_cast<T>(libm::trunc(static_cast<Real<T>>(x)));
}
template <Floating T>
LOCKSTEP_INLINE T round_even(T x) {
  return static_cast<T>(libm::nearbyint(static_cast<Real<T>>(x)));
}
template <Floating T>
LOCKSTEP_INLINE T sqrt(T x) {
  return static_cast<T>(libm::sqrt(static_cast<Real<T>>(x)));
}

/// a * b + c, rounded once.
template <Floating T>
LOCKSTEP_INLINE T fma(T a, T b, T c) {
  if constexpr (sizeof(T) == 2) {
    // The product of two float16 is exact in double. Where the sum is not, one term is too small to
    // affect the final rounding.
    const auto wide = [](T x) { return static_cast<double>(static_cast<float>(x)); };
    return convert<T>(wide(a) * wide(b) + wide(c));
  } else {
    return libm::fma(a, b, c);
  }
}

}  // namespace scalar

#if LOCKSTEP_REGISTER_BYTES > 0 && defined(__FMA__)
LOCKSTEP_INLINE __m128 fused(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
LOCKSTEP_INLINE __m128d fused(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
LOCKSTEP_INLINE __m256 fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
LOCKSTEP_INLINE __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#endif
#if LOCKSTEP_REGISTER_BYTES == 64
LOCKSTEP_INLINE __m512 fused(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
LOCKSTEP_INLINE __m512d fused(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif

#if defined(LOCKSTEP_NEON)
LOCKSTEP_INLINE float32x4_t fused(float32x4_t a, float32x4_t b, float32x4_t c) {
  return vfmaq_f32(c, a, b);
}
LOCKSTEP_INLINE float64x2_t fused(float64x2_t a, float64x2_t b, float64x2_t c) {
  return vfmaq_f64(c, a, b);
}

LOCKSTEP_INLINE float32x4_t root(float32x4_t v) { return vsqrtq_f32(v); }
LOCKSTEP_INLINE float64x2_t root(float64x2_t v) { return vsqrtq_f64(v); }
LOCKSTEP_INLINE float32x4_t rounded_down(float32x4_t v) { return vrndmq_f32(v); }
LOCKSTEP_INLINE float64x2_t rounded_down(float64x2_t v) { return vrndmq_f64(v); }
LOCKSTEP_INLINE float32x4_t rounded_up(float32x4_t v) { return vrndpq_f32(v); }
LOCKSTEP_INLINE float64x2_t rounded_up(float64x2_t v) { return vrndpq_f64(v); }
LOCKSTEP_INLINE float32x4_t truncated(float32x4_t v) { return vrndq_f32(v); }
LOCKSTEP_INLINE float64x2_t truncated(float64x2_t v) { return vrndq_f64(v); }
LOCKSTEP_INLINE float32x4_t rounded_to_even(float32x4_t v) { return vrndnq_f32(v); }
LOCKSTEP_INLINE float64x2_t rounded_to_even(float64x2_t v) { return vrndnq_f64(v); }
#endif

#if LOCKSTEP_REGISTER_BYTES > 0 && !defined(LOCKSTEP_NEON)
LOCKSTEP_INLINE __m128 root(__m128 v) { return _mm_sqrt_ps(v); }
LOCKSTEP_INLINE __m128d root(__m128d v) { return _mm_sqrt_pd(v); }
#endif
#if LOCKSTEP_REGISTER_BYTES >= 32
LOCKSTEP_INLINE __m256 root(__m256 v) { return _mm256_sqrt_ps(v); }
LOCKSTEP_INLINE __m256d root(__m256d v) { return _mm256_sqrt_pd(v); }
#endif
#if LOCKSTEP_REGISTER_BYTES == 64
LOCKSTEP_INLINE __m512 root(__m512 v) { return _mm512_maskz_sqrt_ps(0xFFFF, v); }
LOCKSTEP_INLINE __m512d root(__m512d v) { return _mm512_maskz_sqrt_pd(0xFF, v); }
#endif

// Rounding to integers by instruction. The 64-byte forms without a mask make g++
// 12 warn about an uninitialized variable inside its own headers.
#if LOCKSTEP_REGISTER_BYTES > 0 && defined(__SSE4_1__)
template <int Mode>
LOCKSTEP_INLINE __m128 rounded(__m128 v) {
  return _mm_round_ps(v, Mode);
}
template <int Mode>
LOCKSTEP_INLINE __m128d rounded(__m128d v) {
  return _mm_round_pd(v, Mode);
}
#endif
#if LOCKSTEP_REGISTER_BYTES >= 32
template <int Mode>
LOCKSTEP_INLINE __m256 rounded(__m256 v) {
  return _mm256_round_ps(v, Mode);
}
template <int Mode>
LOCKSTEP_INLINE __m256d rounded(__m256d v) {
  return _mm256_round_pd(v, Mode);
}
#endif
#if LOCKSTEP_REGISTER_BYTES == 64
template <int Mode>
LOCKSTEP_INLINE __m512 rounded(__m512 v) {
  return _mm512_maskz_roundscale_ps(0xFFFF, v, Mode);
}
template <int Mode>
LOCKSTEP_INLINE __m512d rounded(__m512d v) {
  return _mm512_maskz_roundscale_pd(0xFF, v, Mode);
}
#endif

/// Exact mathematics on batches of N lanes of T.
template <Floating T, int N, bool Register = is_register<T, N>>
struct MathOps {
  using Ops = BatchOps<T, N>;
  using Each = typename Ops::type;

  LOCKSTEP_INLINE static Each floor(const Each& v) { return Ops::each(scalar::floor<T>, v); }
  LOCKSTEP_INLINE static Each ceil(const Each& v) { return Ops::each(scalar::ceil<T>, v); }
  LOCKSTEP_INLINE static Each trunc(const Each& v) { return Ops::each(scalar::trunc<T>, v); }
  LOCKSTEP_INLINE static Each round_even(const Each& v) {
    return Ops::each(scalar::round_even<T>, v);
  }
  LOCKSTEP_INLINE static Each sqrt(const Each& v) { return Ops::each(scalar::sqrt<T>, v); }
  LOCKSTEP_INLINE static Each fma(const Each& a, const Each& b, const Each& c) {
    return Ops::each(scalar::fma<T>, a, b, c);
  }
};

#if LOCKSTEP_REGISTER_BYTES > 0

template <Floating T, int N>
struct MathOps<T, N, true> {
  using Ops = BatchOps<T, N>;
  using Each = typename Ops::type;
  using Vector = typename Ops::Vector;

#if defined(LOCKSTEP_NEON)
  LOCKSTEP_INLINE static Each floor(const Each& v) { return Ops::batch(rounded_down(v.data)); }
  LOCKSTEP_INLINE static Each ceil(const Each& v) { return Ops::batch(rounded_up(v.data)); }
  LOCKSTEP_INLINE static Each trunc(const Each& v) { return Ops::batch(truncated(v.data)); }
  LOCKSTEP_INLINE static Each round_even(const Each& v) {
    return Ops::batch(rounded_to_even(v.data));
  }
#elif defined(__SSE4_1__)
  LOCKSTEP_INLINE static Each floor(const Each& v) {
    return Ops::batch(rounded<_MM_FROUND_TO_NEG_INF>(v.data));
  }
  LOCKSTEP_INLINE static Each ceil(const Each& v) {
    return Ops::batch(rounded<_MM_FROUND_TO_POS_INF>(v.data));
  }
  LOCKSTEP_INLINE static Each trunc(const Each& v) {
    return Ops::batch(rounded<_MM_FROUND_TO_ZERO>(v.data));
  }
  LOCKSTEP_INLINE static Each round_even(const Each& v) {
    return Ops::batch(rounded<_MM_FROUND_TO_NEAREST_INT>(v.data));
  }
#else
  LOCKSTEP_INLINE static Each floor(const Each& v) {
    const Vector near = Ops::vector(round_even(v));
    const Vector one = Vector{} + T{1};
    return Ops::batch(near - (near > Ops::vector(v) ? one : Vector{}));
  }
  LOCKSTEP_INLINE static Each ceil(const Each& v) { return Ops::neg(floor(Ops::neg(v))); }
  LOCKSTEP_INLINE static Each trunc(const Each& v) {
    const auto sign = Ops::raw(v.data) & FloatFormat<T>::sign;
    return Ops::batch(Ops::raw(floor(Ops::batch(Ops::raw(v.data) ^ sign)).data) | sign);
  }
  LOCKSTEP_INLINE static Each round_even(const Each& v) {
    // A number this large has no fraction bits: adding it rounds to an integer.
    const Vector large = Vector{} + static_cast<T>(FloatFormat<T>::lowest_normal);
    const auto sign = Ops::raw(v.data) & FloatFormat<T>::sign;
    const auto magnitude = same_bits<Vector>(Ops::raw(v.data) ^ sign);
    const auto rounded = same_bits<Vector>(Ops::raw((magnitude + large) - large) | sign);
    return Ops::batch(magnitude < large ? rounded : Ops::vector(v));
  }
#endif

  LOCKSTEP_INLINE static Each sqrt(const Each& v) { return Ops::batch(root(v.data)); }

  LOCKSTEP_INLINE static Each fma(const Each& a, const Each& b, const Each& c) {
    if constexpr (requires { fused(a.data, b.data, c.data); }) {
      return Ops::batch(fused(a.data, b.data, c.data));
    } else {
      const Vector x = Ops::vector(a), y = Ops::vector(b), z = Ops::vector(c);
      Vector r = x;
      for (int i = 0; i < N; ++i) r[i] = scalar::fma<T>(x[i], y[i], z[i]);
      return Ops::batch(r);
    }
  }
};

#endif  // LOCKSTEP_REGISTER_BYTES > 0

/// f applied batch by batch.
template <class F, class T, int W, class... L>
LOCKSTEP_INLINE Lanes<T, W> map_batches(F f, const Lanes<T, W>& v, const L&... more) {
  return Lanes<T, W>(make_packs<T, Lanes<T, W>::physical>([&](int k) __attribute__((
      always_inline)) { return f(v.packs().batch[k], more.packs().batch[k]...); }));
}

template <Floating T, int W>
using MathOf = MathOps<T, Lanes<T, W>::Packs::lanes_each>;

/// The same bits as another type of the same size.
template <class To, class From, int W>
LOCKSTEP_INLINE Lanes<To, W> bits_as(const Lanes<From, W>& v) {
  static_assert(sizeof(To) == sizeof(From));
  if constexpr (std::is_arithmetic_v<To> == std::is_arithmetic_v<From>) {
    return Lanes<To, W>(reinterpret_packs<To>(v.packs()));
  } else {
    // float16 has no registers of its own, so its lanes are stored in other batches.
    constexpr int P = Lanes<To, W>::physical;
    alignas(64) From from[P];
    alignas(64) To to[P];
    store_packs<From, P>(from, v.packs());
    std::memcpy(to, from, sizeof to);
    return Lanes<To, W>(load_packs<To, P>(to));
  }
}

template <Floating T, int W>
LOCKSTEP_INLINE auto float_bits(const Lanes<T, W>& v) {
  return bits_as<typename FloatFormat<T>::Bits>(v);
}

/// f, a function of the C library, applied lane by lane in the component's own precision.
template <class F, Floating T, int W, class... L>
LOCKSTEP_INLINE Lanes<T, W> map_real(F f, const Lanes<T, W>& v, const L&... more) {
  // Compilers fold a call with constant arguments to the correctly rounded result, which the
  // library need not return. Hiding the values makes every lane call the library.
  const auto hidden = [](T value) __attribute__((always_inline)) {
    auto real = static_cast<Real<T>>(value);
    __asm__("" : "+m"(real));
    return real;
  };
  const auto one_lane = [&](auto... lane) __attribute__((always_inline)) {
    return static_cast<T>(f(hidden(lane)...));
  };
  return map(one_lane, v, more...);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
