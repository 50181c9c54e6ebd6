#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "support/walker/value.hpp"

/// \file
/// A SPIR-V module as the reference reads it, from nothing but its words.

namespace lockstep::walker {

using Id = std::uint32_t;

/// Younger than some installed headers.
inline constexpr auto OpGroupNonUniformQuadAllKHR = static_cast<spv::Op>(5110);
inline constexpr auto OpGroupNonUniformQuadAnyKHR = static_cast<spv::Op>(5111);
inline constexpr auto OpTypeVectorIdEXT = static_cast<spv::Op>(5288);
inline constexpr auto OpConstantCompositeReplicateEXT = static_cast<spv::Op>(4461);
inline constexpr auto OpSpecConstantCompositeReplicateEXT = static_cast<spv::Op>(4462);
inline constexpr auto OpCompositeConstructReplicateEXT = static_cast<spv::Op>(4463);

struct Instruction {
  spv::Op op = spv::Op::OpNop;
  Id type = 0, result = 0;              ///< 0: has none
  std::vector<std::uint32_t> operands;  ///< the words after those
};

struct Type {
  enum class Kind {
    nothing,
    boolean,
    integer,
    real,
    vector,
    matrix,
    array,
    structure,
    pointer,
    image,
    other
  };
  struct Member {
    Id type = 0;
    std::uint32_t offset = 0, matrix_stride = 0;
    bool row_major = false;
  };

  Kind kind = Kind::other;
  int width = 0;                   ///< of integer and real
  bool is_signed = false;          ///< of integer
  Id element = 0;                  ///< of vector, matrix (a column), array; pointee of pointer
  std::uint32_t count = 0;         ///< of elements; 0: a run-time array
  std::uint32_t stride = 0;        ///< of array
  std::vector<Member> members;     ///< of structure
  spv::StorageClass storage = {};  ///< of pointer
  spv::ImageFormat format = {};    ///< of image
};

struct Block {
  std::vector<Instruction> body;
  /// Where the block stands among those of its function: after all from which it can be reached without a new
  /// iteration of a loop, and, if it follows a loop, after all of the loop.
  std::uint64_t order = 0;
  std::vector<Id>
      loops;  ///< the headers of the loops around it, from the outermost; its own if it is one
};

struct Function {
  Id entry = 0;
  std::vector<Id> parameters;
  std::map<Id, Block> blocks;  ///< by label
};

struct Variable {
  Id id = 0, type = 0, initializer = 0;
  spv::StorageClass storage = {};
};

struct Decorations {
  std::map<spv::Decoration, std::vector<std::uint32_t>> of;
  bool has(spv::Decoration d) const { return of.contains(d); }
  std::uint32_t number(spv::Decoration d) const { return of.at(d).at(0); }
};

class Freedom;

/// The parts of a module that a run needs.
struct Module {
  std::uint32_t bound = 0;
  std::map<Id, Type> types;
  std::map<Id, Value> constants;
  std::map<Id, Id> type_of;  ///< of every result
  std::map<Id, Decorations> decorations;
  std::vector<Variable> variables;  ///< of the module
  std::map<Id, Function> functions;
  std::map<Id, std::string> imports;  ///< names of extended instruction sets
  Id main = 0;
  std::uint32_t local_size[3] = {1, 1, 1};
  Freedom* freedom = nullptr;  ///< the run's, if results may be others

  const Type& type(Id id) const { return types.at(id); }
  /// The number of scalars in a value of the type.
  std::size_t scalars(Id type) const;
  /// The type of its scalars if they all have the same.
  const Type& scalar_type(Id type) const;
};

/// Reads a module and evaluates its constants. Throws Error for what the reference does not know.
Module read_module(std::span<const std::uint32_t> words, const std::string& entry,
                   const std::map<std::uint32_t, std::uint64_t>& spec);

}  // namespace lockstep::walker
