#pragma once

/// \file
/// Compares the results of a run with those of another device.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/workgroup/size3.hpp>

#include "npy/npy.hpp"

namespace lockstep::run {

/// An element that differs.
struct Difference {
  std::size_t index = 0;
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
/// Example       tests/run/compare.cpp
Comparison compare(const npy::Array& got, const npy::Array& expected, int subgroup_size);

/// The invocation of a dispatch.
struct Place {
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  std::uint32_t lane = 0;
};

/// The invocation whose gl_GlobalInvocationID, counted x first, is `index`; nothing unless the
/// buffer has exactly one element per invocation.
///
/// Requires      subgroup_size >= 1.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(1).
/// Spec          gl_GlobalInvocationID, gl_SubgroupID, gl_SubgroupInvocationID
/// Example       tests/run/compare.cpp
std::optional<Place> place_of(std::size_t index, std::size_t elements, Size3 workgroups,
                              Size3 local_size, int subgroup_size);

}  // namespace lockstep::run
