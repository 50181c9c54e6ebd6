#pragma once

#include <lockstep/lanes/detail/math.hpp>
#include <lockstep/lanes/detail/simd/vectors.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// Applies f, a function of vectors of floats, to lanes: one register at a time, or four lanes where registers are
/// smaller or unknown.
template <class Function, int W, class... L>
LOCKSTEP_INLINE Lanes<float, W> map_floats(Function f, const Lanes<float, W>& v, const L&... more) {
  using Packs = typename Lanes<float, W>::Packs;
  using Each = typename Packs::Each;
  if constexpr (is_register<float, Packs::lanes_each>) {
    using F = Vector<float, Packs::lanes_each>;
    Packs result;
    const auto one = [&](int k) __attribute__((always_inline)) {
      result.batch[k] = same_bits<Each>(
          f(same_bits<F>(v.packs().batch[k]), same_bits<F>(more.packs().batch[k])...));
    };
    // Unrolled further, the code would be long and no faster.
    if constexpr (Packs::count <= 2) {
      unrolled<Packs::count>(one);
    } else {
      for (int k = 0; k < Packs::count; ++k) one(k);
    }
    return Lanes<float, W>(result);
  } else {
    using F = Vector<float, 4>;
    constexpr int P = Lanes<float, W>::physical, padded = P < 4 ? 4 : P;
    const auto at = [](const Lanes<float, W>& lanes, int first) {
      float some[4] = {};
      for (int i = 0; i < 4 && first + i < P; ++i) some[i] = lanes[first + i];
      return same_bits<F>(some);
    };
    alignas(64) float results[padded];
    for (int k = 0; k < P; k += 4) {
      const F result = f(at(v, k), at(more, k)...);
      std::memcpy(results + k, &result, sizeof result);
    }
    return Lanes<float, W>(load_packs<float, P>(results));
  }
}

/// The same for lanes of float or float16. float16 is computed in float.
template <class Function, HalfOrSingle T, int W, class... L>
LOCKSTEP_INLINE Lanes<T, W> map_real(Function f, const Lanes<T, W>& v, const L&... more) {
  if constexpr (sizeof(T) == sizeof(float))
    return map_floats(f, v, more...);
  else
    return Lanes<T, W>(map_floats(f, Lanes<float, W>(v), Lanes<float, W>(more)...));
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
