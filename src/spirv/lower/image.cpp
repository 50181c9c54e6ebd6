#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "spirv/lower/image.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"
#include "spirv/lower/pointer.hpp"
#include "spirv/lower/variables.hpp"

/// \file
/// Storage images and texel buffers. Coordinates become the number of a texel, which accesses use
/// as an index.

namespace lockstep::spirv {
namespace {

bool is_multisample(const Instruction& type) { return type[4] != 0; }

/// The number of coordinates of an image.
std::uint32_t coordinates_of(const Instruction& type) {
  const bool arrayed = type[3] != 0;
  switch (static_cast<spv::Dim>(type[1])) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return arrayed ? 2 : 1;
    case spv::Dim::Dim2D:
      return arrayed || is_multisample(type) ? 3 : 2;
    case spv::Dim::Dim3D:
    case spv::Dim::Cube:
      return 3;
    default:
      return 0;
  }
}

/// For an array of images with an index that is not constant, the index is the last operand.
void emit_image(Lowering& l, Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src,
                const Pointer& image) {
  if (image.element != no_reg) src.push_back(image.element);
  l.emit(code, type, std::move(dst), std::move(src),
         ImageOp{image.resource, image.element != no_reg ? image.choices : 0});
}

/// Throws Error unless the shader sees a texel's numbers with 32 or 64 bits.
void check_texel(Lowering& l, Scalar type, const Instruction& i) {
  if (size_of(type) < 4) l.unsupported(i, fmt::format("with texels of {} bits", 8 * size_of(type)));
}

void lower_image_itself(Lowering& l, const Instruction& i) {
  l.define_pointer(i.result, pointer(l, i[0]));
}

void lower_read(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  const Reg number = fetched_texel(l, image, i);
  const Scalar type = l.ir().resources[image.resource].texel;
  check_texel(l, type, i);
  std::vector<Reg> components;
  for (std::uint64_t k = 0; k < l.types()[i.type].components && k < 4; ++k)
    components.push_back(l.new_reg(type));
  emit_image(l, Code::image_load, type, components, {number}, image);
  l.define(i.result, components);
}

void lower_write(Lowering& l, const Instruction& i) {
  constexpr std::size_t mask = 3;
  constexpr std::uint32_t sample = 0x40;
  const std::uint32_t given = i.operands.size() > mask ? i[mask] : 0;
  if ((given & ~(harmless_image_operands | sample)) != 0)
    l.unsupported(i, "with these image operands");
  const Pointer image = pointer(l, i[0]);
  if (image.read_only) fail_at(i, "writes to a read-only image");
  const Scalar type = l.ir().resources[image.resource].texel;
  check_texel(l, type, i);
  TexelOperands more;
  if ((given & sample) != 0) more.sample = {l.scalar_of(i, mask + 1)};
  std::vector<Reg> operands{texel(l, image, i[1], i, more)};
  const auto value = l.regs(i[2]);
  operands.insert(operands.end(), value.begin(), value.end());
  while (operands.size() < 5) operands.push_back(l.constant(type, 0));
  emit_image(l, Code::image_store, type, {}, std::move(operands), image);
}

void lower_size_query(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image) l.unsupported(i);
  std::vector<Reg> extent;
  for (std::uint64_t k = 0; k < l.types()[i.type].components && k < 3; ++k)
    extent.push_back(l.new_reg(Scalar::u32));
  emit_image(l, Code::image_size, Scalar::u32, extent, {}, image);
  // For an array of cubes, each six layers, the third number is the number of cubes.
  const Instruction& type = *l.type_of(i[0]).definition;
  if (static_cast<spv::Dim>(type[1]) == spv::Dim::Cube && extent.size() == 3)
    extent[2] =
        l.pure(Code::div, Scalar::u32, Scalar::u32, {extent[2], l.constant(Scalar::u32, 6)});
  l.define(i.result, extent);
}

/// A multisample image has a slice for each sample.
void lower_samples_query(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image) l.unsupported(i);
  std::vector<Reg> extent;
  for (int k = 0; k < 3; ++k) extent.push_back(l.new_reg(Scalar::u32));
  emit_image(l, Code::image_size, Scalar::u32, extent, {}, image);
  l.define(i.result, extent[2]);
}

void lower_texel_pointer(Lowering& l, const Instruction& i) {
  Pointer image = pointer(l, i[0]);
  // Other images have a sample, too, which is 0.
  TexelOperands more;
  if (image.kind == Pointer::Kind::image &&
      l.regs(i[1]).size() < l.ir().resources[image.resource].dimensions)
    more.sample = {l.scalar_of(i, 2)};
  image.index = texel(l, image, i[1], i, more);
  image.type = l.types()[i.type].element;
  image.stride = size_of(l.ir().resources[image.resource].texel);
  for (std::uint32_t e = 0; e < std::max(image.choices, 1u); ++e)
    l.ir().resources[image.resource + e].atomic = true;
  image.kind = Pointer::Kind::memory;
  if (image.element != no_reg) {
    const Reg chosen = descriptor_pointer(l, image.resource, image.choices, image.element);
    image.kind = Pointer::Kind::address;
    image.index = l.pure(Code::address_add, Scalar::u64, Scalar::u64, {chosen, image.index},
                         Scalar::u32, Chain{image.stride});
  }
  l.define_pointer(i.result, image);
}

}  // namespace

void image_variable(Lowering& l, const Instruction& i, const Type& pointee) {
  const bool unsized = pointee.kind == Type::Kind::runtime_array;
  const bool array = pointee.kind == Type::Kind::array || unsized;
  const Type* image = array ? &l.types()[pointee.element] : &pointee;
  const bool combined = image->kind == Type::Kind::sampled_image;
  if (combined) image = &l.types()[(*image->definition)[0]];
  Pointer p;
  p.type = pointee.id;
  if (image->kind == Type::Kind::sampler) {
    p.kind = Pointer::Kind::sampler;
    sampler_variable(l, i, pointee, p);
    p.elements = array ? static_cast<std::uint32_t>(descriptors(l, i, pointee)) : 0;
    l.define_pointer(i.result, p);
    return;
  }
  if (image->kind != Type::Kind::image) return;  // an error where it is used
  const Instruction& type = *image->definition;
  const auto dim = static_cast<spv::Dim>(type[1]);
  constexpr std::uint32_t storage = 2;
  const bool sampled_cube = dim == spv::Dim::Cube && type[5] != storage;
  const bool other_multisample = is_multisample(type) && (dim != spv::Dim::Dim2D || type[3] != 0);
  if (other_multisample || coordinates_of(type) == 0 || sampled_cube) return;
  const Decorations& decorations = l.module().decorations(i.result);
  ResourceUse use;
  use.kind = ResourceUse::Kind::image;
  if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) use.set = *set;
  if (const auto* binding = decorations.find(spv::Decoration::Binding)) use.binding = *binding;
  use.writable = type[5] == storage && !decorations.has(spv::Decoration::NonWritable);
  use.name = l.module().name(i.result);
  use.texel = l.types()[type[0]].scalar;
  use.dimensions = coordinates_of(type);
  use.arrayed = type[3] != 0;
  p.kind = Pointer::Kind::image;
  p.resource = static_cast<std::uint32_t>(l.ir().resources.size());
  p.read_only = !use.writable;
  const std::uint64_t elements = descriptors(l, i, pointee);
  p.elements = array ? static_cast<std::uint32_t>(elements) : 0;
  use.optional = unsized;
  add_resources(l, i, use, elements);
  if (combined && dim != spv::Dim::Buffer) sampler_variable(l, i, pointee, p);
  l.define_pointer(i.result, p);
}

Reg texel(Lowering& l, const Pointer& image, Id coordinates, const Instruction& i,
          const TexelOperands& more) {
  if (image.kind != Pointer::Kind::image)
    l.unsupported(i, "on an image that is neither a storage image nor a texel buffer");
  const std::uint32_t wanted = l.ir().resources[image.resource].dimensions;
  std::vector<Reg> at(l.regs(coordinates).begin(), l.regs(coordinates).end());
  at.insert(at.end(), more.sample.begin(), more.sample.end());
  if (at.size() < wanted) fail_at(i, "has too few coordinates");
  at.resize(wanted);
  for (std::size_t k = 0; k < at.size(); ++k) {
    at[k] = l.as_u32(at[k]);
    if (k < more.offset.size())
      at[k] = l.pure(Code::add, Scalar::u32, Scalar::u32, {at[k], l.as_u32(more.offset[k])});
  }
  const Reg number = l.new_reg(Scalar::u32);
  emit_image(l, Code::image_texel, Scalar::u32, {number}, std::move(at), image);
  return number;
}

void add_images(OpcodeTable& table) {
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {spv::Op::OpImage, lower_image_itself},
      {spv::Op::OpImageRead, lower_read},
      {spv::Op::OpImageFetch, lower_read},
      {spv::Op::OpImageWrite, lower_write},
      {spv::Op::OpImageQuerySizeLod, lower_size_query},
      {spv::Op::OpImageQuerySize, lower_size_query},
      {spv::Op::OpImageQuerySamples, lower_samples_query},
      {spv::Op::OpImageTexelPointer, lower_texel_pointer},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
