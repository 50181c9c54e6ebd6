#pragma once

/// \file
/// The memory layout of a buffer's element.

#include <cstdint>
#include <vector>

#include "amber/type.hpp"

namespace lockstep::amber {

enum class Layout : std::uint8_t { std430, std140 };

/// A number of an element, for which a script gives a value.
struct Component {
  std::uint32_t byte = 0;
  Number number;

  friend bool operator==(const Component&, const Component&) = default;
};

struct ElementLayout {
  std::vector<Component> components;  ///< in the order in which a script gives values
  std::uint32_t stride = 0;           ///< from one element to the next

  friend bool operator==(const ElementLayout&, const ElementLayout&) = default;
};

/// The layout of one element of a buffer of that type. Matrices are column by column.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        std::invalid_argument naming the member whose OFFSET or stride does not fit.
/// Cost          O(components).
/// Spec          std140 and std430 of GLSL 4.60, 7.6.2.2
/// Example       tests/amber/layout.cpp
ElementLayout layout_of(const Type& type, Layout layout);

}  // namespace lockstep::amber
