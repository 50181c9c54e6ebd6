#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace lockstep::bench {

/// How many elements a benchmark of shaders has: LOCKSTEP_BENCH_ELEMENTS, or 256 Ki.
inline std::size_t shader_elements() {
  const char* given = std::getenv("LOCKSTEP_BENCH_ELEMENTS");
  return given == nullptr ? std::size_t{1} << 18 : std::strtoull(given, nullptr, 10);
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lockstep::bench
