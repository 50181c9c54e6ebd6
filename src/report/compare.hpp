#pragma once

/// \file
/// Compares the results of a run with those of another device.

#include <cstddef>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "io/npy.hpp"

namespace lockstep::report {

/// An element that differs.
struct Difference {
  std::size_t index = 0;
  std::string path = {};  ///< of a member: "particles[3].mass"
  std::size_t byte = 0;   ///< where it starts
  std::size_t size = 0;   ///< in bytes
  std::string got;
  std::string expected;
};

struct Comparison {
  std::size_t elements = 0;
  std::size_t differing = 0;
  std::vector<Difference> first;  ///< the first ones, 8 at most
};

/// Compares element by element. Integers must be equal. Floats may differ by two units in the last
/// place for each lane of the subgroup, which is what reordering a sum of that many terms of one
/// sign can change; NaN equals NaN, and an infinity only itself.
///
/// Requires      Both arrays have the same type and number of elements.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(elements).
/// Spec          None.
/// Example       tests/report/compare.cpp
Comparison compare(const npy::Array& got, const npy::Array& expected, int subgroup_size);
/// The same for the members of a block, whatever the arrays' types. What lies between them is not compared.
Comparison compare(const std::vector<io::Column>& columns, const npy::Array& got,
                   const npy::Array& expected, int subgroup_size);

}  // namespace lockstep::report
