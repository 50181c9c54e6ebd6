#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// The type of one number.
using NumberType = LaneValues::Type;
/// Its name in GLSL: "uint", "float16_t".
std::string_view glsl_name(NumberType type);
/// Its bytes in memory; a bool has 4.
std::uint32_t size_of(NumberType type);

struct LayoutMember;

/// A type as a block lays it out in memory.
struct LayoutType {
  /// The kinds of types.
  enum class Kind : std::uint8_t { number, vector, matrix, array, structure, address };

  Kind kind = Kind::number;
  NumberType number = NumberType::none;  ///< of numbers, vectors and matrices
  std::string name;                      ///< in GLSL: "uint", "mat3x4", "Particle"
  std::uint32_t rows = 1;                ///< of a vector or of each column
  std::uint32_t columns = 1;             ///< of a matrix
  bool row_major = false;
  std::uint64_t count = 0;   ///< array: of its elements; 0 if that is the buffer's size
  std::uint64_t stride = 0;  ///< array, matrix: bytes from one element, column or row to the next
  std::uint64_t size = 0;    ///< bytes; of an array without a size, none
  std::vector<LayoutMember> members;  ///< of a structure; an array has one, its element
};

/// A member of a structure, or the element of an array.
struct LayoutMember {
  std::string name;
  std::uint64_t offset = 0;
  LayoutType type;
};

/// All types of numbers in a type, once each, in order of appearance. Addresses are uint64_t.
std::vector<NumberType> numbers_of(const LayoutType& type);

/// A specialization constant.
struct DeclaredConstant {
  std::uint32_t id = 0;
  std::string name;  ///< empty if the module has none
  NumberType type = NumberType::none;
  std::uint64_t bits = 0;  ///< of its default
};
/// The specialization constants of a module, by id.
std::vector<DeclaredConstant> constants_of(const Module& module);

/// What a module declares for an entry point: everything that its caller provides.
struct Reflection {
  /// A resource that the shader declares.
  struct Binding {
    /// The kinds of resources.
    enum class Kind : std::uint8_t {
      uniform_buffer,
      storage_buffer,
      storage_image,
      sampled_image,           ///< texture2D
      combined_image_sampler,  ///< sampler2D
      sampler,
      uniform_texel_buffer,
      storage_texel_buffer,
    };
    Kind kind = Kind::storage_buffer;
    std::uint32_t set = 0, binding = 0;
    std::uint32_t elements = 1;  ///< of an array of them; 0 without a size
    bool writable = false;
    bool used = true;  ///< by some function of the module; otherwise nothing need be bound
    std::string name;
    std::string
        hlsl_register;   ///< "t3", of a module that Lockstep compiled from HLSL with register(t3)
    std::string type;    ///< of images and samplers: "uimage2D"; of buffers the block's name
    std::string format;  ///< of storage images, if the shader names it: "rgba8"
    LayoutType block;    ///< of buffers
  };
  std::string entry;
  Size3 local_size{1, 1, 1};
  std::vector<Binding> bindings;             ///< by set, binding and declaration
  std::optional<LayoutType> push_constants;  ///< the block
  std::string push_constants_name;           ///< of its variable: "pc" for `uniform Push {...} pc`
  std::vector<DeclaredConstant> constants;   ///< by id
};

/// The declarations of a module as its specialization makes them.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        Throws Error for an entry point that the module lacks, and for declarations that no
///               pipeline supports, with the line.
/// Cost          One pass over the declarations; functions are not looked at.
/// Spec          OpVariable, OpTypeStruct, Offset, ArrayStride, MatrixStride, SpecId, OpEntryPoint
/// Example       tests/spirv/reflection.cpp
Reflection reflect(const Module& module, const std::string& entry = "main",
                   const std::map<std::uint32_t, SpecConstant>& specialization = {});

}  // namespace lockstep
