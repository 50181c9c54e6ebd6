#pragma once

/// \file
/// The numbers of a buffer as its block lays them out.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/spirv/reflection.hpp>

#include "io/npy.hpp"

namespace lockstep::io {

/// All numbers of a block that have the same path but for indices: of an array of structures, one member of each.
struct Column {
  /// A step into an array, a vector or a matrix.
  struct Step {
    enum class Kind : std::uint8_t { array, component, matrix };
    Kind kind = Kind::array;
    std::uint64_t count = 0, stride = 0;
    std::size_t at = 0;  ///< the index stands there in the name
  };
  std::string name;  ///< "particles.mass"
  npy::Dtype type{};
  std::uint64_t offset = 0;  ///< of the first number
  std::vector<Step> steps;   ///< the last one moves fastest

  /// Of its numbers.
  std::uint64_t size() const;
  /// Where number k is, in bytes.
  std::uint64_t place(std::uint64_t k) const;
  /// What the shader would call number k: "particles[3].mass", "velocity.y", "turn[1][2]".
  std::string path(std::uint64_t k) const;
  /// Without indices of arrays: "particles[].mass", "velocity.xyz".
  std::string title() const;
};

/// The columns of a block in a buffer of so many bytes, in the order of declaration, as far as the buffer holds them
/// wholly.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(declared members).
/// Spec          None.
/// Example       tests/io/columns.cpp
std::vector<Column> columns_of(const LayoutType& block, std::uint64_t bytes);

/// The numbers of a column one after another.
npy::Array gather(const Column& column, const std::vector<std::byte>& bytes);

/// Sets a member, as "particles[3].mass" and "2.5"; of a vector or matrix all numbers, separated by commas.
///
/// Requires      The columns are those of the bytes.
/// Active lanes  None.
/// Errors        InputError that names what is wrong: a path that is not there, or a value that does not fit.
/// Cost          O(columns).
/// Spec          None.
/// Example       tests/io/columns.cpp
void set_member(const std::vector<Column>& columns, std::string_view path, std::string_view value,
                std::vector<std::byte>& bytes);

/// The type of a .npy file that holds the block: its elements if it is nothing but one array, else the block once.
/// Nothing if all its numbers are of one type: then a plain array does.
struct RecordType {
  std::string descr;               ///< as NumPy writes it
  std::uint64_t size = 0;          ///< bytes of a record
  std::vector<std::size_t> shape;  ///< of the array of records
};
std::optional<RecordType> record_type_of(const LayoutType& block, std::uint64_t bytes);

}  // namespace lockstep::io
