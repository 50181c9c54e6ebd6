#pragma once

#include <lockstep/glsl/vec.hpp>

#include "support/built_in.hpp"

/// \file
/// Values that are vectors, for the sweeps of tests/subgroup/vectors*.cpp.

namespace lockstep::test {

/// A value that is a vector of N components of T. Results are vectors, too.
template <class T, int N, int W>
struct AsVector {
  using value_type = T;
  static constexpr int width = W;
  static constexpr int components = N;
  static constexpr bool uniform = false;

  static Vec<T, N, W> load(const Block<T>& values) {
    return Vec<T, N, W>::generate([&](int k) { return load_lanes<T, W>(values.component(k)); });
  }
  static void store(const Vec<T, N, W>& result, Block<T>& to) {
    for (int k = 0; k < N; ++k) store_lanes<T, W>(result[k], to.component(k));
  }
};

/// Checks what Calls lists, for vectors of each length and of float, uint, double and bool.
template <template <class> class Calls>
void check_vectors() {
  Calls<AsVector<float, 2, 5>>::check();
  Calls<AsVector<bool, 3, 33>>::check();
#if !defined(LOCKSTEP_TEST_REDUCED)
  Calls<AsVector<float, 3, 8>>::check();
  Calls<AsVector<float, 4, 24>>::check();
  Calls<AsVector<std::uint32_t, 3, 8>>::check();
  Calls<AsVector<double, 2, 8>>::check();
  Calls<AsVector<double, 4, 3>>::check();
  Calls<AsVector<bool, 2, 5>>::check();
  Calls<AsVector<bool, 4, 8>>::check();
#endif
}

}  // namespace lockstep::test
