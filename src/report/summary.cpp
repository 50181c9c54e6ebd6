#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/types.hpp"

namespace lockstep::report {
namespace {

constexpr std::size_t max_shown = 8;

template <class T>
bool is_nan(T value) {
  if constexpr (io::is_float<T>)
    return std::isnan(static_cast<double>(value));
  else
    return false;
}

}  // namespace

Summary summarise(const npy::Array& array) {
  const std::size_t size = io::bytes_of(array.dtype);
  const auto text = [&](std::size_t i) {
    return io::to_text(array.dtype, array.bytes.data() + i * size);
  };
  Summary summary;
  summary.elements = array.bytes.size() / size;
  io::visit_type(array.dtype, [&]<class T>(std::type_identity<T>) {
    T low{}, high{};
    std::size_t low_at = 0, high_at = 0, numbers = 0;
    for (std::size_t i = 0; i < summary.elements; ++i) {
      T value;
      std::memcpy(&value, array.bytes.data() + i * size, size);
      if (is_nan(value)) {
        ++summary.nans;
        continue;
      }
      if (numbers++ == 0 || value < low) low = value, low_at = i;
      if (numbers == 1 || high < value) high = value, high_at = i;
    }
    if (numbers == 0) return;
    summary.smallest = text(low_at);
    summary.largest = text(high_at);
  });
  for (std::size_t i = 0; i < std::min(summary.elements, max_shown); ++i)
    summary.first.push_back(text(i));
  return summary;
}

}  // namespace lockstep::report
