#pragma once

#include <string>

#include <lockstep/glsl/vec.hpp>

#include "support/corpus.hpp"

/// \file
/// Converts vectors of lanes from plain arrays, and compares them, one array of lanes per component.

namespace lockstep::test {

template <class T, int N, int W>
using VecArray = std::array<LaneArray<T, W>, static_cast<std::size_t>(N)>;

/// A class derived from the value it holds, as the variables of kernels are.
template <class Value>
struct Variable : Value {
  explicit Variable(const Value& value) : Value(value) {}
};

template <class T, int N, int W>
VecArray<T, N, W> sample_vec(Random& random, Values kind) {
  VecArray<T, N, W> values;
  for (auto& component : values) component = sample_values<T, W>(random, kind);
  return values;
}

template <class T, int W, std::size_t N>
Vec<T, static_cast<int>(N), W> vec_from(const std::array<LaneArray<T, W>, N>& values) {
  return Vec<T, static_cast<int>(N), W>::generate(
      [&](auto k) { return lanes_from<T, W>(values[k]); });
}

/// The vector whose component k holds f(value k of each array...) in each lane below W.
template <int N, int W, class F, class... Array>
auto each_lane(F f, const Array&... arrays) {
  using R = decltype(f(arrays[0][0]...));
  VecArray<R, N, W> result{};
  for (std::size_t k = 0; k < N; ++k) {
    for (std::size_t i = 0; i < W; ++i) result[k][i] = f(arrays[k][i]...);
  }
  return result;
}

/// Where a vector differs from the expected components, in words; empty if nowhere.
template <class T, int N, int W>
std::string difference_of(const Vec<T, N, W>& got, const VecArray<T, N, W>& want,
                          bool (*equal)(T, T) = bit_equal<T>) {
  std::string text;
  for (int k = 0; k < N; ++k) {
    const std::string wrong =
        difference(got[k], want[static_cast<std::size_t>(k)], Mask<W>::all(), equal);
    if (!wrong.empty()) text += std::string("component ") + "xyzw"[k] + ", " + wrong;
  }
  return text;
}

/// Calls f(Size<N>{}) for vectors of 2, 3 and 4 components.
template <class F>
void for_each_length(F&& f) {
  for_each_size(SizeList<2, 3, 4>{}, f);
}

// What a vector adds to lanes depends on neither type nor size: one type is tested at all kinds of
// sizes, every type at one size, with and without padding. More would take minutes to compile.
#if defined(LOCKSTEP_TEST_FULL)
using VecSizes = Sizes;
#elif defined(LOCKSTEP_TEST_REDUCED)
using VecSizes = SizeList<24>;
#else
using VecSizes = SizeList<1, 24>;
#endif
using TwoSizes = SizeList<3, 16>;  // a padded and a full subgroup

/// Calls f(Type<T>{}, Size<N>{}, Size<W>{}) for types of every kind and vectors of every length.
template <class F>
void for_each_vec(F&& f) {
  f(Type<float>{}, Size<2>{}, Size<3>{});
  f(Type<float>{}, Size<3>{}, Size<16>{});
  f(Type<std::int32_t>{}, Size<4>{}, Size<16>{});
  f(Type<std::uint8_t>{}, Size<2>{}, Size<3>{});
#ifndef LOCKSTEP_TEST_REDUCED
  f(Type<float>{}, Size<4>{}, Size<3>{});
  f(Type<double>{}, Size<3>{}, Size<3>{});
  f(Type<float16_t>{}, Size<2>{}, Size<3>{});
  f(Type<std::uint32_t>{}, Size<3>{}, Size<3>{});
  f(Type<std::uint8_t>{}, Size<2>{}, Size<16>{});
#endif
}

}  // namespace lockstep::test
