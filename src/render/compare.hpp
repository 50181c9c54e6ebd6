#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/trace/timeline.hpp>
#include <lockstep/trace/trace.hpp>

namespace lockstep::render {

/// Two runs side by side: the steps at the same places in one row, and where the runs first differ.
struct Comparison {
  static constexpr std::size_t none = ~std::size_t{0};

  /// A step of each run; none where the other run has no such step.
  struct Row {
    std::size_t first = none, second = none;
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// A lane that has another value in a row.
  struct Value {
    std::size_t row = 0;
    int lane = 0;
    std::string what;           ///< "subgroupAdd", "n", "read of A"
    std::string first, second;  ///< as GLSL spells them
  };

  std::vector<Row> rows;
  /// All rows that only one run has, in which other lanes execute together, or other values result. Values are
  /// compared in the first 10,000 rows of both.
  std::vector<std::size_t> different;
  std::optional<std::size_t> tangles;  ///< the first in which other lanes execute together
  std::optional<Value> value;          ///< the first different value
};

/// Compares a subgroup of each run. Lanes that only one run has are not compared.
///
/// Requires      Subgroups of their traces.
/// Active lanes  Values are compared where both runs have the lane active.
/// Errors        None.
/// Cost          Linear in the steps while the runs take the same way.
/// Spec          None.
/// Example       tests/render/compare.cpp
Comparison compare(const trace::Trace& first, const trace::SubgroupTrace& of_first,
                   const trace::Trace& second, const trace::SubgroupTrace& of_second);

/// The differences in words, one a line; says so if there are none.
std::string to_string(const Comparison& comparison, const trace::Timeline& first,
                      const trace::Timeline& second);

}  // namespace lockstep::render
