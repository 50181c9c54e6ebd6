#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "support/walker/module.hpp"

/// \file
/// Variables and buffers.

namespace lockstep::walker {

/// What a variable or a binding is: bytes with a layout, or scalars one after another.
struct Object {
  std::span<std::byte> bytes = {};
  std::vector<Scalar> parts = {};
  bool has_bytes = false;
  /// For each byte one that is not zero if an undefined value was stored there last; empty: nobody asks.
  std::span<std::uint8_t> undefined = {};
  std::uint32_t width = 0, height = 0;  ///< of an image, whose texels are the bytes
};

/// Where a component is; `indices` follow the composite that the pointer points to. Throws Error for an index outside an
/// array.
Pointer access(const Module& module, Id pointee, Pointer from,
               std::span<const std::int64_t> indices);

/// The bytes of a value with an explicit layout, to the end of its last component.
std::uint64_t bytes_of(const Module& module, Id type);

Value load(const Module& module, Id type, const Pointer& from);
void store(const Module& module, Id type, const Pointer& to, const Value& value);
/// The number of elements of the last member of a block, which is a run-time array.
std::uint64_t array_length(const Module& module, Id block, const Pointer& at);

/// A texel as four components of the image's sampled type.
Value load_texel(const Module& module, const Type& image, const Object& object, std::int64_t x,
                 std::int64_t y);
void store_texel(const Type& image, Object& object, std::int64_t x, std::int64_t y,
                 const Value& texel);

}  // namespace lockstep::walker
