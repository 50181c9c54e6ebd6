#include "shader/front/types.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::spirv {
namespace {

Scalar integer_type(const Instruction& i) {
  const bool negative = i[1] != 0;
  switch (i[0]) {
    case 8:
      return negative ? Scalar::i8 : Scalar::u8;
    case 16:
      return negative ? Scalar::i16 : Scalar::u16;
    case 32:
      return negative ? Scalar::i32 : Scalar::u32;
    case 64:
      return negative ? Scalar::i64 : Scalar::u64;
    default:
      fail_at(i, fmt::format("integers of {} bits are not supported", i[0]));
  }
}
Scalar float_type(const Instruction& i) {
  if (i.operands.size() > 1)
    fail_at(i, "floats of other encodings, such as bfloat16, are not supported");
  switch (i[0]) {
    case 16:
      return Scalar::f16;
    case 32:
      return Scalar::f32;
    case 64:
      return Scalar::f64;
    default:
      fail_at(i, fmt::format("floats of {} bits are not supported", i[0]));
  }
}

/// The universal limit of SPIR-V.
constexpr std::uint32_t deepest = 255;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > most_of_variable / a ? most_of_variable + 1 : a * b;
}

}  // namespace

const Type& Types::operator[](Id id) const {
  const auto found = types_.find(id);
  if (found == types_.end()) {
    const Instruction& made = module_.definition(id);
    const bool is_type = name_of(made.opcode).rfind("OpType", 0) == 0;
    fail_at(made, is_type ? std::string("is not supported") : fmt::format("%{} is not a type", id));
  }
  return found->second;
}

void Types::check_vector(const Instruction& i, std::uint64_t count) const {
  const bool any_length = module_.has_capability(capability_long_vector);
  const std::uint64_t least = any_length ? 1 : 2, most = any_length ? most_components : 16;
  if ((*this)[i[0]].kind != Type::Kind::scalar || count < least || count > most)
    fail_at(i, fmt::format("is not a vector of {} to {} scalars", least, most));
}

/// Long, as it has a case for each instruction that declares a type.
void Types::add_with_length(const Instruction& i, std::uint64_t length) {
  using Kind = Type::Kind;
  Type type;
  type.id = i.result;
  type.definition = &i;
  const auto take_element = [&](Kind kind, std::uint64_t count) {
    const Type& element = (*this)[i[0]];
    type.kind = kind;
    type.element = i[0];
    type.count = count;
    type.scalar = element.scalar;
    type.components = times(element.components, count);
    type.depth = element.depth + 1;
  };
  const auto take_vector = [&](std::uint64_t count) {
    check_vector(i, count);
    take_element(Kind::vector, count);
  };
  if (i.opcode == op_type_vector_id) take_vector(length);
  switch (i.opcode) {
    case spv::Op::OpTypeVoid:
      type.kind = Kind::nothing;
      break;
    case spv::Op::OpTypeBool:
      type.kind = Kind::scalar;
      type.components = 1;
      break;
    case spv::Op::OpTypeInt:
      type.kind = Kind::scalar;
      type.scalar = integer_type(i);
      type.components = 1;
      break;
    case spv::Op::OpTypeFloat:
      type.kind = Kind::scalar;
      type.scalar = float_type(i);
      type.components = 1;
      break;
    case spv::Op::OpTypeVector:
      take_vector(i[1]);
      break;
    case spv::Op::OpTypeMatrix:
      if ((*this)[i[0]].kind != Kind::vector || i[1] < 2 || i[1] > 4)
        fail_at(i, "is not a matrix of 2 to 4 columns");
      take_element(Kind::matrix, i[1]);
      break;
    case spv::Op::OpTypeArray:
      take_element(Kind::array, length);
      type.empty = (*this)[i[0]].empty;
      break;
    case spv::Op::OpTypeRuntimeArray:
      take_element(Kind::runtime_array, 0);
      break;
    case spv::Op::OpTypeStruct:
      type.kind = Kind::structure;
      type.empty = true;
      for (const Id member : i.operands) {
        type.members.push_back(member);
        if (types_.count(member) == 0) fail_at(i, fmt::format("%{} is not a type", member));
        type.depth = std::max(type.depth, (*this)[member].depth + 1);
        type.empty = type.empty && (*this)[member].empty;
        type.components =
            std::min(type.components + (*this)[member].components, most_of_variable + 1);
      }
      type.count = type.members.size();
      break;
    case spv::Op::OpTypePointer:
      type.kind = Kind::pointer;
      type.storage = static_cast<spv::StorageClass>(i[0]);
      type.element = i[1];
      type.scalar = Scalar::u64;
      type.components = 1;
      break;
    case spv::Op::OpTypeForwardPointer:
      forward_.insert(i[0]);
      // Arrays and structures may contain the pointer before its own type says what it points to.
      type.id = i[0];
      type.kind = Kind::pointer;
      type.storage = static_cast<spv::StorageClass>(i[1]);
      type.scalar = Scalar::u64;
      type.components = 1;
      types_[i[0]] = std::move(type);
      return;
    case spv::Op::OpTypeImage:
      type.kind = Kind::image;
      break;
    case spv::Op::OpTypeSampler:
      type.kind = Kind::sampler;
      break;
    case spv::Op::OpTypeSampledImage:
      type.kind = Kind::sampled_image;
      break;
    case spv::Op::OpTypeFunction:
      type.kind = Kind::function;
      break;
    default:
      break;
  }
  if (forward_.count(i.result) != 0 && type.kind != Type::Kind::pointer)
    fail_at(i, "was declared as a pointer and is not one");
  if (type.depth > deepest) fail_at(i, fmt::format("is nested more than {} deep", deepest));
  types_[i.result] = std::move(type);
}

void Types::add_cooperative_matrix(const Instruction& i, std::uint32_t rows, std::uint32_t columns,
                                   std::uint64_t count) {
  const Type& component = (*this)[i[0]];
  if (component.kind != Type::Kind::scalar || component.scalar == Scalar::boolean)
    fail_at(i, "has components that are not numbers");
  if (count > most_components)
    fail_at(i, fmt::format("has {} components in each lane; at most {} are supported", count,
                           most_components));
  Type type;
  type.kind = Type::Kind::vector;
  type.id = i.result;
  type.scalar = component.scalar;
  type.element = i[0];
  type.count = type.components = count;
  type.depth = 1;
  type.rows = rows;
  type.columns = columns;
  type.definition = &i;
  types_[i.result] = std::move(type);
}

std::vector<Scalar> Types::scalars(const Type& type, std::uint64_t most) const {
  std::vector<Scalar> out;
  for (const Placement& p : placements(type, {}, most)) out.push_back(p.scalar);
  return out;
}

std::vector<Placement> Types::placements(const Type& type, MatrixLayout matrix,
                                         std::uint64_t most) const {
  const bool none = type.components == 0 && !type.empty;
  if (none || type.components > most)
    fail_at(*type.definition, fmt::format("values of {} have {} components; 1 to {} are supported",
                                          module_.name(type.id), none ? "no" : "too many", most));
  std::vector<Placement> out;
  out.reserve(type.components);
  place(type, matrix, 0, out);
  return out;
}

void Types::place(const Type& type, MatrixLayout matrix, std::uint64_t at,
                  std::vector<Placement>& out) const {
  if (type.components == 0) return;  // any number of empty structures
  switch (type.kind) {
    case Type::Kind::scalar:
    case Type::Kind::pointer:
      out.push_back({at, type.scalar});
      break;
    case Type::Kind::vector:
      for (std::uint64_t k = 0; k < type.count; ++k)
        out.push_back({at + k * size_of(type.scalar), type.scalar, k + 1 == type.count});
      break;
    case Type::Kind::matrix:
      for (std::uint64_t c = 0; c < type.count; ++c) {
        const std::uint64_t rows = (*this)[type.element].count;
        for (std::uint64_t r = 0; r < rows; ++r)
          out.push_back({at + c * column_stride(type, matrix) + r * row_stride(type, matrix),
                         type.scalar, r + 1 == rows});
      }
      break;
    case Type::Kind::array:
      for (std::uint64_t k = 0; k < type.count; ++k)
        place((*this)[type.element], matrix, at + k * array_stride(type, matrix), out);
      break;
    case Type::Kind::structure:
      for (std::uint32_t m = 0; m < type.members.size(); ++m)
        place((*this)[type.members[m]], member_layout(type, m), at + member_offset(type, m), out);
      break;
    default:
      fail_at(*type.definition, "a value of this type cannot be in memory");
  }
}

std::uint64_t Types::size(const Type& type, MatrixLayout matrix) const {
  const std::tuple key{type.id, matrix.stride, matrix.row_major};
  const auto known = sizes_.find(key);
  if (known != sizes_.end()) return known->second;
  const std::uint64_t found = find_size(type, matrix);
  sizes_.emplace(key, found);
  return found;
}

std::uint64_t Types::find_size(const Type& type, MatrixLayout matrix) const {
  switch (type.kind) {
    case Type::Kind::scalar:
    case Type::Kind::pointer:
      return size_of(type.scalar);
    case Type::Kind::vector:
      return type.count * size_of(type.scalar);
    case Type::Kind::matrix: {
      const std::uint64_t rows = (*this)[type.element].count;
      return (type.count - 1) * column_stride(type, matrix) +
             (rows - 1) * row_stride(type, matrix) + size_of(type.scalar);
    }
    case Type::Kind::array: {
      if (type.count == 0) return 0;
      const std::uint64_t stride = array_stride(type, matrix);
      if (type.count > (std::uint64_t{1} << 40) / std::max<std::uint64_t>(stride, 1))
        fail_at(*type.definition, "the array is too large");
      return stride * type.count;
    }
    case Type::Kind::runtime_array:
      return 0;
    case Type::Kind::structure: {
      std::uint64_t end = 0;
      for (std::uint32_t m = 0; m < type.members.size(); ++m)
        end = std::max(
            end, member_offset(type, m) + size((*this)[type.members[m]], member_layout(type, m)));
      return end;
    }
    default:
      fail_at(*type.definition, "a value of this type cannot be in memory");
  }
}

std::uint64_t Types::array_stride(const Type& array, MatrixLayout matrix) const {
  if (const auto* stride = module_.decorations(array.id).find(spv::Decoration::ArrayStride))
    return *stride;
  return size((*this)[array.element], matrix);
}

std::uint64_t Types::member_offset(const Type& structure, std::uint32_t member) const {
  if (member >= structure.members.size())
    fail_at(*structure.definition, fmt::format("has no member {}", member));
  if (const auto known = offsets_.find(structure.id); known != offsets_.end())
    return known->second[member];
  std::vector<std::uint64_t> offsets;
  std::uint64_t at = 0;
  for (std::uint32_t m = 0; m < structure.members.size(); ++m) {
    const auto* offset = module_.member_decorations(structure.id, m).find(spv::Decoration::Offset);
    offsets.push_back(offset != nullptr ? *offset : at);
    // Members without an offset are consecutive.
    if (offset == nullptr && m + 1 < structure.members.size())
      at += size((*this)[structure.members[m]], member_layout(structure, m));
  }
  return offsets_.emplace(structure.id, std::move(offsets)).first->second[member];
}

MatrixLayout Types::member_layout(const Type& structure, std::uint32_t member) const {
  const Decorations& decorations = module_.member_decorations(structure.id, member);
  const auto* stride = decorations.find(spv::Decoration::MatrixStride);
  return {stride != nullptr ? *stride : 0, decorations.has(spv::Decoration::RowMajor)};
}

std::uint64_t Types::column_stride(const Type& matrix, MatrixLayout layout) const {
  if (layout.row_major) return size_of(matrix.scalar);
  return layout.stride != 0 ? layout.stride
                            : (*this)[matrix.element].count * size_of(matrix.scalar);
}
std::uint64_t Types::row_stride(const Type& matrix, MatrixLayout layout) const {
  if (!layout.row_major) return size_of(matrix.scalar);
  return layout.stride != 0 ? layout.stride : matrix.count * size_of(matrix.scalar);
}

std::uint64_t Types::component_offset(const Type& composite, std::uint64_t index) const {
  if (composite.kind != Type::Kind::structure) return index * (*this)[composite.element].components;
  std::uint64_t before = 0;
  for (std::uint64_t m = 0; m < index; ++m) before += (*this)[composite.members[m]].components;
  return before;
}

const Type& Types::element(const Type& composite, std::uint64_t index) const {
  switch (composite.kind) {
    case Type::Kind::vector:
    case Type::Kind::matrix:
    case Type::Kind::array:
      if (index >= composite.count)
        fail_at(*composite.definition, fmt::format("has no element {}", index));
      return (*this)[composite.element];
    case Type::Kind::runtime_array:
      return (*this)[composite.element];
    case Type::Kind::structure:
      if (index >= composite.members.size())
        fail_at(*composite.definition, fmt::format("has no member {}", index));
      return (*this)[composite.members[index]];
    default:
      fail_at(*composite.definition, "is not a composite");
  }
}

}  // namespace lockstep::spirv
