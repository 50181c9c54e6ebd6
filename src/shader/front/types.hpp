#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "shader/front/module.hpp"
#include "shader/front/newer_operations.hpp"

/// \file
/// The types of a module, and the memory layout of their components.

namespace lockstep::spirv {

/// The type of one component of a value.
enum class Scalar : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 };

constexpr bool is_float(Scalar s) { return s >= Scalar::f16; }
constexpr bool is_signed(Scalar s) { return s >= Scalar::i8 && s <= Scalar::i64; }
/// An integer type as signed or unsigned; others as they are.
constexpr Scalar with_sign(Scalar s, bool negative) {
  if (s < Scalar::i8 || s > Scalar::u64) return s;
  const int width = (static_cast<int>(s) - 1) % 4;
  return static_cast<Scalar>(width + (negative ? 1 : 5));
}
/// Bytes of one lane's component in memory and registers. A bool takes four in memory.
constexpr std::uint32_t size_of(Scalar s) {
  constexpr std::uint32_t sizes[] = {4, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
  return sizes[static_cast<int>(s)];
}
/// The unsigned integer of that many bytes.
constexpr Scalar bits_of(std::uint32_t bytes) {
  return bytes == 1   ? Scalar::u8
         : bytes == 2 ? Scalar::u16
         : bytes == 4 ? Scalar::u32
                      : Scalar::u64;
}

struct Type {
  enum class Kind {
    nothing,
    scalar,
    vector,
    matrix,
    array,
    runtime_array,
    structure,
    pointer,
    image,
    sampler,
    sampled_image,
    function,
    other
  };

  Kind kind = Kind::other;
  Id id = 0;
  Scalar scalar = Scalar::boolean;  ///< scalar, vector and matrix: their component
  Id element = 0;                   ///< of vector, matrix (a column), arrays; pointer: pointee
  std::uint64_t count = 1;          ///< of elements
  std::vector<Id> members;
  spv::StorageClass storage{};   ///< of a pointer
  std::uint64_t components = 0;  ///< scalars in total, 0 for what is not a plain value
  bool empty = false;            ///< a structure without members, or of such: a value all the same
  std::uint32_t depth = 0;       ///< nesting of structures and arrays
  /// Of a cooperative matrix, which is a vector of the components that each lane holds.
  std::uint32_t rows = 0, columns = 0;
  const Instruction* definition = nullptr;
};

/// The most components of a value, and of a variable, of which values are parts: anything larger is
/// an error instead of an hour of work.
inline constexpr std::uint64_t most_components = 1u << 16;
inline constexpr std::uint64_t most_of_variable = 1u << 19;

/// The offset and layout of a value inside its object.
struct Placement {
  std::uint64_t offset;
  Scalar scalar;
  bool ends = true;  ///< the last of a scalar, vector or column
};

/// A matrix's memory layout: a property of the member that holds it.
struct MatrixLayout {
  std::uint32_t stride = 0;
  bool row_major = false;
};

class Types {
 public:
  explicit Types(const Module& module) : module_(module) {}

  /// Records a type instruction. `length_of` returns the value of the constant that is a length.
  template <class F>
  void add(const Instruction& i, F&& length_of) {
    const bool has_length = i.opcode == spv::Op::OpTypeArray || i.opcode == op_type_vector_id;
    add_with_length(i, has_length ? length_of(i[1]) : 0);
  }
  /// Records the type of a cooperative matrix. Each lane holds `count` of its components.
  void add_cooperative_matrix(const Instruction& i, std::uint32_t rows, std::uint32_t columns,
                              std::uint64_t count);
  /// The type; throws Error if the id is not one.
  const Type& operator[](Id id) const;
  bool has(Id id) const { return types_.count(id) != 0; }

  /// Each component's scalar type, in order.
  std::vector<Scalar> scalars(const Type& type, std::uint64_t most = most_components) const;
  /// Each component of `type` in memory. Types without layout decorations are packed tightly.
  std::vector<Placement> placements(const Type& type, MatrixLayout matrix,
                                    std::uint64_t most = most_components) const;
  /// Bytes of a value in memory, to the end of its last component.
  std::uint64_t size(const Type& type, MatrixLayout matrix) const;
  /// Bytes from one element of an array to the next.
  std::uint64_t array_stride(const Type& array, MatrixLayout matrix) const;
  std::uint64_t member_offset(const Type& structure, std::uint32_t member) const;
  MatrixLayout member_layout(const Type& structure, std::uint32_t member) const;
  /// Bytes from one column of a matrix to the next, and from one component of a column to the next.
  std::uint64_t column_stride(const Type& matrix, MatrixLayout layout) const;
  std::uint64_t row_stride(const Type& matrix, MatrixLayout layout) const;
  /// Components before an element of a composite.
  std::uint64_t component_offset(const Type& composite, std::uint64_t index) const;
  /// The type of a composite's element.
  const Type& element(const Type& composite, std::uint64_t index) const;

 private:
  void add_with_length(const Instruction& i, std::uint64_t length);
  void check_vector(const Instruction& i, std::uint64_t count) const;
  void place(const Type& type, MatrixLayout matrix, std::uint64_t at,
             std::vector<Placement>& out) const;

  std::uint64_t find_size(const Type& type, MatrixLayout matrix) const;

  const Module& module_;
  std::unordered_map<Id, Type> types_;
  std::unordered_set<Id> forward_;  ///< pointers that come later
  // A type may contain another many times, and that one yet another.
  mutable std::map<std::tuple<Id, std::uint32_t, bool>, std::uint64_t> sizes_;
  mutable std::unordered_map<Id, std::vector<std::uint64_t>> offsets_;
};

}  // namespace lockstep::spirv
