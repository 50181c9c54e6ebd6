#include "run/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "run/types.hpp"

namespace lockstep::run {
namespace {

constexpr std::size_t max_differences = 8;

template <class T>
struct Precision {
  static constexpr int digits = std::numeric_limits<T>::digits;
  static constexpr int min_exponent = std::numeric_limits<T>::min_exponent;
};
template <>
struct Precision<float16_t> {
  static constexpr int digits = 11;
  static constexpr int min_exponent = -13;
};

/// A unit in the last place of a finite value of type T.
template <class T>
double unit_in_last_place(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, Precision<T>::min_exponent) - Precision<T>::digits);
}

template <class T>
bool agree(T got, T expected, int subgroup_size) {
  if constexpr (is_float<T>) {
    const double a = static_cast<double>(got), b = static_cast<double>(expected);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    const double unit = unit_in_last_place<T>(std::max(std::abs(a), std::abs(b)));
    return std::abs(a - b) <= 2.0 * subgroup_size * unit;
  } else {
    return got == expected;
  }
}

template <class T>
T element(const npy::Array& array, std::size_t index) {
  T value;
  std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

Comparison compare(const npy::Array& got, const npy::Array& expected, int subgroup_size) {
  const std::size_t size = bytes_of(got.dtype);
  Comparison comparison;
  comparison.elements = got.bytes.size() / size;
  visit_type(got.dtype, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < comparison.elements; ++i) {
      if (agree(element<T>(got, i), element<T>(expected, i), subgroup_size)) continue;
      if (comparison.differing++ < max_differences)
        comparison.first.push_back({i, to_text(got.dtype, got.bytes.data() + i * size),
                                    to_text(got.dtype, expected.bytes.data() + i * size)});
    }
  });
  return comparison;
}

std::optional<Place> place_of(std::size_t index, std::size_t elements, Size3 workgroups,
                              Size3 local_size, int subgroup_size) {
  const std::uint64_t width = std::uint64_t{workgroups.x} * local_size.x;
  const std::uint64_t height = std::uint64_t{workgroups.y} * local_size.y;
  const std::uint64_t depth = std::uint64_t{workgroups.z} * local_size.z;
  // Divides instead of multiplying, which could overflow.
  if (width == 0 || height == 0 || elements % width != 0 || elements / width % height != 0 ||
      elements / width / height != depth)
    return std::nullopt;
  const std::uint64_t x = index % width, y = index / width % height, z = index / width / height;
  const std::uint64_t local =
      x % local_size.x + local_size.x * (y % local_size.y + local_size.y * (z % local_size.z));
  const auto lanes = static_cast<std::uint64_t>(subgroup_size);
  Place place;
  place.workgroup = {static_cast<std::uint32_t>(x / local_size.x),
                     static_cast<std::uint32_t>(y / local_size.y),
                     static_cast<std::uint32_t>(z / local_size.z)};
  place.subgroup = static_cast<std::uint32_t>(local / lanes);
  place.lane = static_cast<std::uint32_t>(local % lanes);
  return place;
}

}  // namespace lockstep::run
