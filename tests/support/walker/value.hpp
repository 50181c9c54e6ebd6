#pragma once

#include <cstdint>
#include <vector>

/// \file
/// Values as the reference has them: one invocation's, each component for itself.

namespace lockstep::walker {

/// A number or a bool (0 or 1).
struct Scalar {
  std::uint64_t bits = 0;  ///< those above its width are zero
  bool defined = true;     ///< whether the specification says what it is
};

struct Object;

/// A place in an object.
struct Pointer {
  Object* object = nullptr;
  std::uint64_t offset = 0;  ///< in bytes, or in scalars for objects without bytes
  /// Of a matrix or a column of one in bytes: from column to column, or row to row; and from component to component.
  std::uint32_t matrix_stride = 0, component_stride = 0;
  bool row_major = false;
};

/// A value of any type: the scalars of a vector, a matrix, an array or a structure, one after another; or a pointer.
struct Value {
  std::vector<Scalar> parts;
  Pointer pointer = {};
};

}  // namespace lockstep::walker
