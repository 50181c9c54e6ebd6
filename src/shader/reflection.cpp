#include <lockstep/spirv/reflection.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "shader/front/decoded_module.hpp"
#include "shader/front/used_ids.hpp"
#include "shader/lower/constants.hpp"
#include "shader/lower/lower.hpp"

namespace lockstep {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::MatrixLayout;
using spirv::Scalar;
using spirv::Type;
using Binding = Reflection::Binding;

NumberType number_of(Scalar scalar) {
  using enum LaneValues::Type;  // clang 14 takes no alias here
  constexpr std::array types{boolean, int8,   int16,  int32,   int64,   uint8,
                             uint16,  uint32, uint64, float16, float32, float64};
  return types[static_cast<std::size_t>(scalar)];
}

/// The start of the names of GLSL's vectors, images and samplers of that number.
std::string_view prefix_of(NumberType type) {
  switch (type) {
    case NumberType::boolean:
      return "b";
    case NumberType::int8:
      return "i8";
    case NumberType::int16:
      return "i16";
    case NumberType::int32:
      return "i";
    case NumberType::int64:
      return "i64";
    case NumberType::uint8:
      return "u8";
    case NumberType::uint16:
      return "u16";
    case NumberType::uint32:
      return "u";
    case NumberType::uint64:
      return "u64";
    case NumberType::float16:
      return "f16";
    case NumberType::float64:
      return "d";
    default:
      return "";
  }
}

/// The name of an image format of SPIR-V in GLSL; empty for Unknown.
std::string_view format_name(std::uint32_t format) {
  constexpr std::array<std::string_view, 42> names{"",          "rgba32f",      "rgba16f",
                                                   "r32f",      "rgba8",        "rgba8_snorm",
                                                   "rg32f",     "rg16f",        "r11f_g11f_b10f",
                                                   "r16f",      "rgba16",       "rgb10_a2",
                                                   "rg16",      "rg8",          "r16",
                                                   "r8",        "rgba16_snorm", "rg16_snorm",
                                                   "rg8_snorm", "r16_snorm",    "r8_snorm",
                                                   "rgba32i",   "rgba16i",      "rgba8i",
                                                   "r32i",      "rg32i",        "rg16i",
                                                   "rg8i",      "r16i",         "r8i",
                                                   "rgba32ui",  "rgba16ui",     "rgba8ui",
                                                   "r32ui",     "rgb10_a2ui",   "rg32ui",
                                                   "rg16ui",    "rg8ui",        "r16ui",
                                                   "r8ui",      "r64ui",        "r64i"};
  return format < names.size() ? names[format] : "";
}

class Reflector {
 public:
  Reflector(const spirv::Module& module, spirv::Lowering& lowering, spirv::Id entry)
      : module_(module),
        lowering_(lowering),
        types_(lowering.types()),
        used_(used_ids(module, entry)) {}

  Reflection run(const std::string& entry) {
    Reflection result;
    result.entry = entry;
    const auto& size = lowering_.ir().local_size;
    result.local_size = {size[0], size[1], size[2]};
    for (const Instruction* i : module_.globals()) {
      if (i->opcode == spv::Op::OpVariable) add_variable(result, *i);
    }
    std::ranges::stable_sort(result.bindings, [](const Binding& a, const Binding& b) {
      return std::tuple(a.set, a.binding) < std::tuple(b.set, b.binding);
    });
    return result;
  }

 private:
  // ---- Types in memory ----

  LayoutType layout_of(const Type& type, MatrixLayout matrix) {
    constexpr std::size_t most_types = 1u << 16;
    if (++described_ > most_types)
      fail_at(*type.definition, "has too many members in all to be described");
    LayoutType made;
    switch (type.kind) {
      case Type::Kind::scalar:
      case Type::Kind::vector:
        made.kind =
            type.kind == Type::Kind::scalar ? LayoutType::Kind::number : LayoutType::Kind::vector;
        made.number = number_of(type.scalar);
        made.rows = static_cast<std::uint32_t>(type.kind == Type::Kind::vector ? type.count : 1);
        made.name = made.rows == 1 ? std::string(glsl_name(made.number))
                                   : fmt::format("{}vec{}", prefix_of(made.number), made.rows);
        break;
      case Type::Kind::matrix:
        describe_matrix(made, type, matrix);
        break;
      case Type::Kind::array:
      case Type::Kind::runtime_array:
        made.kind = LayoutType::Kind::array;
        made.count = type.kind == Type::Kind::array ? type.count : 0;
        made.stride = types_.array_stride(type, matrix);
        made.members.push_back({"", 0, layout_of(types_[type.element], matrix)});
        made.name = made.members[0].type.name;
        break;
      case Type::Kind::structure:
        made.kind = LayoutType::Kind::structure;
        made.name = module_.name(type.id);
        for (std::uint32_t m = 0; m < type.members.size(); ++m)
          made.members.push_back(
              {module_.member_name(type.id, m), types_.member_offset(type, m),
               layout_of(types_[type.members[m]], types_.member_layout(type, m))});
        break;
      case Type::Kind::pointer:
        made.kind = LayoutType::Kind::address;
        made.number = NumberType::uint64;
        made.name = module_.name(type.element);
        break;
      default:
        fail_at(*type.definition, "a value of this type cannot be in memory");
    }
    made.size = types_.size(type, matrix);
    return made;
  }

  void describe_matrix(LayoutType& made, const Type& type, MatrixLayout matrix) const {
    made.kind = LayoutType::Kind::matrix;
    made.number = number_of(type.scalar);
    made.columns = static_cast<std::uint32_t>(type.count);
    made.rows = static_cast<std::uint32_t>(types_[type.element].count);
    made.row_major = matrix.row_major;
    made.stride =
        matrix.row_major ? types_.row_stride(type, matrix) : types_.column_stride(type, matrix);
    made.name = fmt::format("{}mat{}", prefix_of(made.number), made.columns);
    if (made.rows != made.columns) made.name += fmt::format("x{}", made.rows);
  }

  // ---- Variables ----

  void add_variable(Reflection& result, const Instruction& i) {
    const Type& pointer = types_[i.type];
    if (pointer.kind != Type::Kind::pointer) return;
    const Type& pointee = types_[pointer.element];
    switch (pointer.storage) {
      case spv::StorageClass::PushConstant:
        if (pointee.kind != Type::Kind::structure) break;
        result.push_constants = layout_of(pointee, {});
        result.push_constants_name = module_.name(i.result);
        break;
      case spv::StorageClass::Uniform:
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::UniformConstant:
        add_binding(result, i, pointee, pointer.storage);
        break;
      default:
        break;
    }
  }

  void add_binding(Reflection& result, const Instruction& i, const Type& pointee,
                   spv::StorageClass storage) {
    const spirv::Decorations& decorations = module_.decorations(i.result);
    Binding made;
    if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) made.set = *set;
    if (const auto* binding = decorations.find(spv::Decoration::Binding)) made.binding = *binding;
    made.name = module_.name(i.result);
    made.used = used_[i.result];
    const bool array =
        pointee.kind == Type::Kind::array || pointee.kind == Type::Kind::runtime_array;
    if (array)
      made.elements = static_cast<std::uint32_t>(
          pointee.kind == Type::Kind::array ? std::min<std::uint64_t>(pointee.count, 0xffffffff)
                                            : 0);
    const Type& one = array ? types_[pointee.element] : pointee;
    const bool read_only = decorations.has(spv::Decoration::NonWritable);
    if (one.kind == Type::Kind::structure)
      describe_buffer(made, one, storage, read_only);
    else if (!describe_image(made, one, read_only))
      return;
    result.bindings.push_back(std::move(made));
  }

  void describe_buffer(Binding& made, const Type& block, spv::StorageClass storage,
                       bool read_only) {
    const bool is_storage = storage == spv::StorageClass::StorageBuffer ||
                            module_.decorations(block.id).has(spv::Decoration::BufferBlock);
    made.kind = is_storage ? Binding::Kind::storage_buffer : Binding::Kind::uniform_buffer;
    made.type = module_.name(block.id);
    if (made.name.empty() || made.name[0] == '%') made.name = made.type;
    bool all_read_only = !block.members.empty();
    for (std::uint32_t m = 0; m < block.members.size(); ++m)
      all_read_only = all_read_only &&
                      module_.member_decorations(block.id, m).has(spv::Decoration::NonWritable);
    made.writable = is_storage && !read_only && !all_read_only;
    made.block = layout_of(block, {});
  }

  /// Whether it is an image or a sampler.
  bool describe_image(Binding& made, const Type& type, bool read_only) const {
    if (type.kind == Type::Kind::sampler) {
      made.kind = Binding::Kind::sampler;
      made.type = "sampler";
      return true;
    }
    const bool combined = type.kind == Type::Kind::sampled_image;
    const Type& image = combined ? types_[(*type.definition)[0]] : type;
    if (image.kind != Type::Kind::image) return false;
    const Instruction& d = *image.definition;
    constexpr std::uint32_t storage = 2;
    const auto dim = static_cast<spv::Dim>(d[1]);
    const bool is_storage = d[5] == storage;
    const bool texels = dim == spv::Dim::Buffer;
    using enum Binding::Kind;
    made.kind = texels && is_storage ? storage_texel_buffer
                : texels             ? uniform_texel_buffer
                : is_storage         ? storage_image
                : combined           ? combined_image_sampler
                                     : sampled_image;
    made.writable = is_storage && !read_only;
    made.format = format_name(d[6]);
    const bool is_number = types_[d[0]].kind == Type::Kind::scalar;
    made.type =
        fmt::format("{}{}{}{}{}{}", is_number ? prefix_of(number_of(types_[d[0]].scalar)) : "",
                    is_storage ? "image"
                    : combined ? "sampler"
                               : "texture",
                    dimensions_of(dim), d[4] != 0 ? "MS" : "", d[3] != 0 ? "Array" : "",
                    combined && d[2] == 1 ? "Shadow" : "");
    return true;
  }

  static std::string_view dimensions_of(spv::Dim dim) {
    switch (dim) {
      case spv::Dim::Dim1D:
        return "1D";
      case spv::Dim::Dim2D:
        return "2D";
      case spv::Dim::Dim3D:
        return "3D";
      case spv::Dim::Cube:
        return "Cube";
      case spv::Dim::Rect:
        return "2DRect";
      case spv::Dim::Buffer:
        return "Buffer";
      default:
        return "";
    }
  }

  const spirv::Module& module_;
  spirv::Lowering& lowering_;
  spirv::Types& types_;
  std::vector<bool> used_;  ///< by id
  std::size_t described_ = 0;
};

/// The type of a number, by its instruction.
NumberType number_type(const Instruction& type) {
  using enum LaneValues::Type;  // clang 14 takes no alias here
  const auto of_width = [&](std::array<NumberType, 4> types) {
    switch (type[0]) {
      case 8:
        return types[0];
      case 16:
        return types[1];
      case 32:
        return types[2];
      case 64:
        return types[3];
      default:
        return none;
    }
  };
  switch (type.opcode) {
    case spv::Op::OpTypeBool:
      return boolean;
    case spv::Op::OpTypeInt:
      return of_width(type[1] != 0 ? std::array{int8, int16, int32, int64}
                                   : std::array{uint8, uint16, uint32, uint64});
    case spv::Op::OpTypeFloat:
      return of_width({none, float16, float32, float64});
    default:
      return none;
  }
}

/// The constant that the instruction defines; nothing if it cannot be specialized.
std::optional<DeclaredConstant> constant_of(const spirv::Module& module, const Instruction& i) {
  const auto* id = module.decorations(i.result).find(spv::Decoration::SpecId);
  if (id == nullptr || !spirv::is_constant(i.opcode)) return {};
  DeclaredConstant made{*id, module.name(i.result), number_type(module.definition(i.type)), 0};
  if (made.type == NumberType::none) return {};
  if (made.name[0] == '%') made.name.clear();
  if (i.opcode == spv::Op::OpSpecConstantTrue)
    made.bits = 1;
  else if (i.opcode == spv::Op::OpSpecConstant)
    made.bits = i[0] | (i.operands.size() > 1 ? std::uint64_t{i[1]} << 32 : 0);
  // Narrow signed integers are stored sign-extended.
  if (size_of(made.type) < 8) made.bits &= (std::uint64_t{1} << 8 * size_of(made.type)) - 1;
  return made;
}

void add_numbers(const LayoutType& type, std::vector<NumberType>& out) {
  if (type.number != NumberType::none && std::ranges::find(out, type.number) == out.end())
    out.push_back(type.number);
  for (const LayoutMember& member : type.members) add_numbers(member.type, out);
}

/// The HLSL register of a resource; empty for one whose binding was chosen otherwise.
std::string register_of(const Binding& resource, const RegisterShifts& shifts) {
  using Kind = Binding::Kind;
  const bool written = resource.writable || resource.kind == Kind::storage_image ||
                       resource.kind == Kind::storage_texel_buffer;
  const auto [name, shift] = resource.kind == Kind::uniform_buffer ? std::pair('b', shifts.b)
                             : resource.kind == Kind::sampler      ? std::pair('s', shifts.s)
                             : written                             ? std::pair('u', shifts.u)
                                                                   : std::pair('t', shifts.t);
  return resource.binding < shift ? "" : fmt::format("{}{}", name, resource.binding - shift);
}

}  // namespace

std::string_view glsl_name(NumberType type) {
  constexpr std::array<std::string_view, 13> names{
      "",         "bool", "int8_t",   "int16_t",   "int",   "int64_t", "uint8_t",
      "uint16_t", "uint", "uint64_t", "float16_t", "float", "double"};
  return names[static_cast<std::size_t>(type)];
}

std::uint32_t size_of(NumberType type) {
  constexpr std::array<std::uint32_t, 13> sizes{0, 4, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

std::vector<NumberType> numbers_of(const LayoutType& type) {
  std::vector<NumberType> out;
  add_numbers(type, out);
  return out;
}

std::vector<DeclaredConstant> constants_of(const Module& module) {
  const spirv::Module& decoded = module.decoded()->module;
  std::map<std::uint32_t, DeclaredConstant> by_id;
  for (const Instruction* i : decoded.globals()) {
    std::optional<DeclaredConstant> made = constant_of(decoded, *i);
    if (!made) continue;
    // A local size may share its id with a constant that has a name.
    DeclaredConstant& known = by_id[made->id];
    if (known.name.empty()) known = std::move(*made);
  }
  std::vector<DeclaredConstant> constants;
  for (auto& [id, constant] : by_id) constants.push_back(std::move(constant));
  return constants;
}

Reflection reflect(const Module& module, const std::string& entry,
                   const std::map<std::uint32_t, SpecConstant>& specialization) {
  const spirv::Module& decoded = module.decoded()->module;
  const spirv::LowerOptions options{decoded.compute_entry(entry), specialization};
  spirv::Lowering lowering(decoded, options);
  const spirv::Id function = lower_declarations(lowering);
  Reflection result = Reflector(decoded, lowering, function).run(options.entry);
  result.constants = constants_of(module);
  if (const auto& shifts = module.decoded()->registers) {
    for (Binding& binding : result.bindings) binding.hlsl_register = register_of(binding, *shifts);
  }
  return result;
}

}  // namespace lockstep
