#include "report/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/types.hpp"

namespace lockstep::report {
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
  if constexpr (io::is_float<T>) {
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
  const std::size_t size = io::bytes_of(got.dtype);
  Comparison comparison;
  comparison.elements = got.bytes.size() / size;
  io::visit_type(got.dtype, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < comparison.elements; ++i) {
      if (agree(element<T>(got, i), element<T>(expected, i), subgroup_size)) continue;
      if (comparison.differing++ < max_differences)
        comparison.first.push_back({i, "", i * size, size,
                                    io::to_text(got.dtype, got.bytes.data() + i * size),
                                    io::to_text(got.dtype, expected.bytes.data() + i * size)});
    }
  });
  return comparison;
}

Comparison compare(const std::vector<io::Column>& columns, const npy::Array& got,
                   const npy::Array& expected, int subgroup_size) {
  Comparison all;
  for (const io::Column& column : columns) {
    Comparison one =
        compare(gather(column, got.bytes), gather(column, expected.bytes), subgroup_size);
    all.elements += one.elements;
    all.differing += one.differing;
    for (Difference& difference : one.first) {
      if (all.first.size() == max_differences) break;
      difference.path = column.path(difference.index);
      difference.byte = column.place(difference.index);
      all.first.push_back(std::move(difference));
    }
  }
  return all;
}

}  // namespace lockstep::report
