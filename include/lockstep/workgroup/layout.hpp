#pragma once

#include <cstdint>

/// \file
/// Memory layout of buffer blocks: std140, std430 and scalar as arithmetic, independent of any C++
/// type.

namespace lockstep {

/// The layout rules of a block.
enum class LayoutRule {
  scalar,  ///< every member at the next multiple of its scalar size (GL_EXT_scalar_block_layout)
  std430,  ///< of buffers
  std140,  ///< of uniform blocks: arrays and structs at multiples of 16
};

/// The size and alignment of a type in a block.
struct TypeLayout {
  std::uint32_t alignment = 1;
  std::uint32_t size = 0;

  friend constexpr bool operator==(const TypeLayout&, const TypeLayout&) = default;
};

/// \defgroup layout Layout of types in blocks
///
/// Requires      Scalars of 1, 2, 4 or 8 bytes (bool counts as uint, 4), vectors and matrices of 2
///               to 4, total sizes below 2^32.
/// Active lanes  None.
/// Errors        None.
/// Cost          Constant expressions.
/// Spec          GLSL 4.60 7.6.2.2 Standard Uniform Block Layout, Vulkan "Offset and Stride
///               Assignment" · SPIR-V Offset, ArrayStride, MatrixStride
/// Example       tests/workgroup/layout.cpp
/// @{

/// The next multiple of `alignment`.
constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// A number of this many bytes.
constexpr TypeLayout scalar_layout(std::uint32_t bytes) { return {bytes, bytes}; }

/// A vector of numbers of this size. Three components are aligned like four, but have the size of three.
constexpr TypeLayout vector_layout(LayoutRule rule, std::uint32_t bytes, std::uint32_t components) {
  const std::uint32_t aligned_as = components == 3 ? 4 : components;
  return {rule == LayoutRule::scalar ? bytes : aligned_as * bytes, components * bytes};
}

namespace detail {

/// Alignment of an array or struct whose parts need `alignment`.
constexpr std::uint32_t extended_alignment(LayoutRule rule, std::uint32_t alignment) {
  return rule == LayoutRule::std140 ? round_up(alignment, 16) : alignment;
}

}  // namespace detail

/// Bytes from one element of an array to the next.
constexpr std::uint32_t array_stride(LayoutRule rule, TypeLayout element) {
  return round_up(element.size, detail::extended_alignment(rule, element.alignment));
}

/// An array of `length` elements. Only the scalar layout omits the padding of the last one.
constexpr TypeLayout array_layout(LayoutRule rule, TypeLayout element, std::uint32_t length) {
  const std::uint32_t stride = array_stride(rule, element);
  const std::uint32_t padding = rule == LayoutRule::scalar ? stride - element.size : 0;
  return {detail::extended_alignment(rule, element.alignment),
          length == 0 ? 0 : length * stride - padding};
}

/// Bytes from one column (or, row-major, row) of a matrix to the next.
constexpr std::uint32_t matrix_stride(LayoutRule rule, std::uint32_t bytes, std::uint32_t columns,
                                      std::uint32_t rows, bool row_major = false) {
  return array_stride(rule, vector_layout(rule, bytes, row_major ? columns : rows));
}

/// A matrix: an array of its columns, or, row-major, of its rows.
constexpr TypeLayout matrix_layout(LayoutRule rule, std::uint32_t bytes, std::uint32_t columns,
                                   std::uint32_t rows, bool row_major = false) {
  return array_layout(rule, vector_layout(rule, bytes, row_major ? columns : rows),
                      row_major ? rows : columns);
}

/// A struct or block, member after member.
class StructLayout {
 public:
  constexpr explicit StructLayout(LayoutRule rule) : rule_(rule) {}

  /// Appends a member; returns its offset.
  constexpr std::uint32_t add(TypeLayout member) {
    const std::uint32_t offset = round_up(end_, member.alignment);
    end_ = offset + member.size;
    if (alignment_ < member.alignment) alignment_ = member.alignment;
    return offset;
  }
  /// The whole struct. Only the scalar layout omits the padding at its end.
  constexpr TypeLayout layout() const {
    const std::uint32_t alignment = detail::extended_alignment(rule_, alignment_);
    return {alignment, rule_ == LayoutRule::scalar ? end_ : round_up(end_, alignment)};
  }

 private:
  LayoutRule rule_;
  std::uint32_t end_ = 0;
  std::uint32_t alignment_ = 1;
};
/// @}

}  // namespace lockstep
