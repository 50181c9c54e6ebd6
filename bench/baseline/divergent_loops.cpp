#include "baseline/divergent_loops.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lockstep::bench {

#if defined(__AVX512F__) && defined(__AVX512DQ__)

namespace {

template <int R>  // registers of 16 lanes
void collatz_lanes(const std::uint32_t* numbers, std::uint32_t* steps) {
  const __m512i one = _mm512_set1_epi32(1);
  __m512i n[R], count[R];
  __mmask16 live[R];
  unsigned any = 0;
  for (int r = 0; r < R; ++r) {
    n[r] = _mm512_loadu_si512(numbers + 16 * r);
    count[r] = _mm512_setzero_si512();
    live[r] = _mm512_cmpgt_epu32_mask(n[r], one);
    any |= live[r];
  }
  while (any != 0) {
    any = 0;
    for (int r = 0; r < R; ++r) {
      const __mmask16 odd = _mm512_mask_test_epi32_mask(live[r], n[r], one);
      const __m512i tripled =
          _mm512_add_epi32(_mm512_add_epi32(n[r], _mm512_slli_epi32(n[r], 1)), one);
      n[r] = _mm512_mask_srli_epi32(n[r], static_cast<__mmask16>(live[r] & ~odd), n[r], 1);
      n[r] = _mm512_mask_mov_epi32(n[r], odd, tripled);
      count[r] = _mm512_mask_add_epi32(count[r], live[r], count[r], one);
      live[r] = _mm512_mask_cmpgt_epu32_mask(live[r], n[r], one);
      any |= live[r];
    }
  }
  for (int r = 0; r < R; ++r) _mm512_storeu_si512(steps + 16 * r, count[r]);
}

template <int R>
void mandelbrot_lanes(__m512 left, __m512 step, __m512 cy, std::uint32_t first,
                      std::uint32_t max_iterations, std::uint32_t* iterations) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512 two = _mm512_set1_ps(2.0f), four = _mm512_set1_ps(4.0f);
  const __m512i one = _mm512_set1_epi32(1);
  __m512 x[R], y[R], cx[R];
  __m512i count[R];
  __mmask16 live[R];
  for (int r = 0; r < R; ++r) {
    const __m512i px = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first) + 16 * r), lane);
    cx[r] = _mm512_add_ps(left, _mm512_mul_ps(_mm512_cvtepu32_ps(px), step));
    x[r] = y[r] = _mm512_setzero_ps();
    count[r] = _mm512_setzero_si512();
    live[r] = 0xffff;
  }
  unsigned any = 1;
  for (std::uint32_t k = 0; k < max_iterations && any != 0; ++k) {
    any = 0;
    for (int r = 0; r < R; ++r) {
      const __m512 x2 = _mm512_mul_ps(x[r], x[r]), y2 = _mm512_mul_ps(y[r], y[r]);
      live[r] = _mm512_mask_cmp_ps_mask(live[r], _mm512_add_ps(x2, y2), four, _CMP_LE_OQ);
      const __m512 next = _mm512_add_ps(_mm512_mul_ps(_mm512_mul_ps(two, x[r]), y[r]), cy);
      y[r] = _mm512_mask_mov_ps(y[r], live[r], next);
      x[r] = _mm512_mask_add_ps(x[r], live[r], _mm512_sub_ps(x2, y2), cx[r]);
      count[r] = _mm512_mask_add_epi32(count[r], live[r], count[r], one);
      any |= live[r];
    }
  }
  for (int r = 0; r < R; ++r) _mm512_storeu_si512(iterations + 16 * r, count[r]);
}

}  // namespace

bool has_intrinsics() { return true; }

void collatz_by_hand(int W, const std::uint32_t* numbers, std::uint32_t* steps,
                     std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(W)) {
    if (W == 16)
      collatz_lanes<1>(numbers + i, steps + i);
    else if (W == 32)
      collatz_lanes<2>(numbers + i, steps + i);
    else
      collatz_lanes<4>(numbers + i, steps + i);
  }
}

void mandelbrot_row_by_hand(int W, float left, float step, float cy, std::uint32_t width,
                            std::uint32_t max_iterations, std::uint32_t* iterations) {
  const __m512 l = _mm512_set1_ps(left), s = _mm512_set1_ps(step), c = _mm512_set1_ps(cy);
  for (std::uint32_t px = 0; px < width; px += static_cast<std::uint32_t>(W)) {
    if (W == 16)
      mandelbrot_lanes<1>(l, s, c, px, max_iterations, iterations + px);
    else if (W == 32)
      mandelbrot_lanes<2>(l, s, c, px, max_iterations, iterations + px);
    else
      mandelbrot_lanes<4>(l, s, c, px, max_iterations, iterations + px);
  }
}

#elif defined(__AVX2__)

namespace {

__m256i select(__m256i mask, __m256i a, __m256i b) { return _mm256_blendv_epi8(b, a, mask); }

template <int R>  // registers of 8 lanes
void collatz_lanes(const std::uint32_t* numbers, std::uint32_t* steps) {
  const __m256i one = _mm256_set1_epi32(1), zero = _mm256_setzero_si256();
  __m256i n[R], count[R];
  int any = 1;
  for (int r = 0; r < R; ++r) {
    n[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + 8 * r));
    count[r] = zero;
  }
  while (any != 0) {
    any = 0;
    for (int r = 0; r < R; ++r) {
      // Unsigned n > 1: n halved is not zero.
      const __m256i done = _mm256_cmpeq_epi32(_mm256_srli_epi32(n[r], 1), zero);
      const __m256i even = _mm256_cmpeq_epi32(_mm256_and_si256(n[r], one), zero);
      const __m256i tripled =
          _mm256_add_epi32(_mm256_add_epi32(n[r], _mm256_slli_epi32(n[r], 1)), one);
      const __m256i next = select(even, _mm256_srli_epi32(n[r], 1), tripled);
      n[r] = select(done, n[r], next);
      count[r] = _mm256_add_epi32(count[r], _mm256_andnot_si256(done, one));
      any |= ~_mm256_movemask_ps(_mm256_castsi256_ps(done)) & 0xff;
    }
  }
  for (int r = 0; r < R; ++r)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(steps + 8 * r), count[r]);
}

template <int R>
void mandelbrot_lanes(__m256 left, __m256 step, __m256 cy, std::uint32_t first,
                      std::uint32_t max_iterations, std::uint32_t* iterations) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256 two = _mm256_set1_ps(2.0f), four = _mm256_set1_ps(4.0f);
  __m256 x[R], y[R], cx[R], live[R];
  __m256i count[R];
  for (int r = 0; r < R; ++r) {
    const __m256i px = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first) + 8 * r), lane);
    cx[r] = _mm256_add_ps(left, _mm256_mul_ps(_mm256_cvtepi32_ps(px), step));
    x[r] = y[r] = _mm256_setzero_ps();
    count[r] = _mm256_setzero_si256();
    live[r] = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  }
  int any = 1;
  for (std::uint32_t k = 0; k < max_iterations && any != 0; ++k) {
    any = 0;
    for (int r = 0; r < R; ++r) {
      const __m256 x2 = _mm256_mul_ps(x[r], x[r]), y2 = _mm256_mul_ps(y[r], y[r]);
      live[r] = _mm256_and_ps(live[r], _mm256_cmp_ps(_mm256_add_ps(x2, y2), four, _CMP_LE_OQ));
      y[r] = _mm256_blendv_ps(
          y[r], _mm256_add_ps(_mm256_mul_ps(_mm256_mul_ps(two, x[r]), y[r]), cy), live[r]);
      x[r] = _mm256_blendv_ps(x[r], _mm256_add_ps(_mm256_sub_ps(x2, y2), cx[r]), live[r]);
      count[r] = _mm256_sub_epi32(count[r], _mm256_castps_si256(live[r]));
      any |= _mm256_movemask_ps(live[r]);
    }
  }
  for (int r = 0; r < R; ++r)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(iterations + 8 * r), count[r]);
}

}  // namespace

bool has_intrinsics() { return true; }

void collatz_by_hand(int W, const std::uint32_t* numbers, std::uint32_t* steps,
                     std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(W)) {
    if (W == 16)
      collatz_lanes<2>(numbers + i, steps + i);
    else if (W == 32)
      collatz_lanes<4>(numbers + i, steps + i);
    else
      collatz_lanes<8>(numbers + i, steps + i);
  }
}

void mandelbrot_row_by_hand(int W, float left, float step, float cy, std::uint32_t width,
                            std::uint32_t max_iterations, std::uint32_t* iterations) {
  const __m256 l = _mm256_set1_ps(left), s = _mm256_set1_ps(step), c = _mm256_set1_ps(cy);
  for (std::uint32_t px = 0; px < width; px += static_cast<std::uint32_t>(W)) {
    if (W == 16)
      mandelbrot_lanes<2>(l, s, c, px, max_iterations, iterations + px);
    else if (W == 32)
      mandelbrot_lanes<4>(l, s, c, px, max_iterations, iterations + px);
    else
      mandelbrot_lanes<8>(l, s, c, px, max_iterations, iterations + px);
  }
}

#else

bool has_intrinsics() { return false; }
void collatz_by_hand(int, const std::uint32_t*, std::uint32_t*, std::uint32_t) {}
void mandelbrot_row_by_hand(int, float, float, float, std::uint32_t, std::uint32_t,
                            std::uint32_t*) {}

#endif

}  // namespace lockstep::bench
