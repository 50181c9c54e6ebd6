#include <algorithm>

#include <fmt/format.h>

#include "spirv/lower/lower.hpp"

/// \file
/// Storage images and texel buffers. Coordinates become the number of a texel, which accesses use
/// as an index.

namespace lockstep::spirv {
namespace {

/// The number of coordinates of an image.
std::uint32_t coordinates_of(const Instruction& type) {
  const bool arrayed = type[3] != 0;
  switch (static_cast<spv::Dim>(type[1])) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return arrayed ? 2 : 1;
    case spv::Dim::Dim2D:
      return arrayed ? 3 : 2;
    case spv::Dim::Dim3D:
    case spv::Dim::Cube:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

void Lowering::image_variable(const Instruction& i, const Type& pointee) {
  const bool unsized = pointee.kind == Type::Kind::runtime_array;
  const bool array = pointee.kind == Type::Kind::array || unsized;
  const Type* image = array ? &types_[pointee.element] : &pointee;
  const bool combined = image->kind == Type::Kind::sampled_image;
  if (combined) image = &types_[(*image->definition)[0]];
  Pointer p;
  p.type = pointee.id;
  if (image->kind == Type::Kind::sampler) {
    p.kind = Pointer::Kind::sampler;
    sampler_variable(i, pointee, p);
    p.elements = array ? static_cast<std::uint32_t>(descriptors(i, pointee)) : 0;
    define_pointer(i.result, p);
    return;
  }
  if (image->kind != Type::Kind::image) return;  // an error where it is used
  const Instruction& type = *image->definition;
  const auto dim = static_cast<spv::Dim>(type[1]);
  constexpr std::uint32_t storage = 2;
  const bool sampled_cube = dim == spv::Dim::Cube && type[5] != storage;
  if (type[4] != 0 || coordinates_of(type) == 0 || sampled_cube) return;
  const Decorations& decorations = module_.decorations(i.result);
  ResourceUse use;
  use.kind = ResourceUse::Kind::image;
  if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) use.set = *set;
  if (const auto* binding = decorations.find(spv::Decoration::Binding)) use.binding = *binding;
  use.writable = type[5] == storage && !decorations.has(spv::Decoration::NonWritable);
  use.name = module_.name(i.result);
  use.texel = types_[type[0]].scalar;
  use.dimensions = coordinates_of(type);
  use.arrayed = type[3] != 0;
  p.kind = Pointer::Kind::image;
  p.resource = static_cast<std::uint32_t>(ir_.resources.size());
  p.read_only = !use.writable;
  const std::uint64_t elements = descriptors(i, pointee);
  p.elements = array ? static_cast<std::uint32_t>(elements) : 0;
  use.optional = unsized;
  add_resources(i, use, elements);
  if (combined && dim != spv::Dim::Buffer) sampler_variable(i, pointee, p);
  define_pointer(i.result, p);
}

/// For an array of images with an index that is not constant, the index is the last operand.
void Lowering::emit_image(Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src,
                          const Pointer& image) {
  if (image.element != no_reg) src.push_back(image.element);
  emit(code, type, std::move(dst), std::move(src),
       ImageOp{image.resource, image.element != no_reg ? image.choices : 0});
}

/// The number of the texel at the coordinates, plus an offset if there is one.
Reg Lowering::texel(const Pointer& image, Id coordinates, const Instruction& i,
                    std::span<const Reg> offset) {
  if (image.kind != Pointer::Kind::image)
    unsupported(i, "something that is not a storage image or texel buffer");
  const std::uint32_t wanted = ir_.resources[image.resource].dimensions;
  std::vector<Reg> at(regs(coordinates).begin(), regs(coordinates).end());
  if (at.size() < wanted) fail_at(i, "has too few coordinates");
  at.resize(wanted);
  for (std::size_t k = 0; k < at.size(); ++k) {
    at[k] = as_u32(at[k]);
    if (k < offset.size())
      at[k] = pure(Code::add, Scalar::u32, Scalar::u32, {at[k], as_u32(offset[k])});
  }
  const Reg number = new_reg(Scalar::u32);
  emit_image(Code::image_texel, Scalar::u32, {number}, std::move(at), image);
  return number;
}

/// Throws Error unless the shader sees a texel's numbers with 32 or 64 bits.
void Lowering::check_texel(Scalar type, const Instruction& i) {
  if (size_of(type) < 4)
    unsupported(i, fmt::format("of texels with {} bits in the shader", 8 * size_of(type)));
}

bool Lowering::lower_image(const Instruction& i) {
  const auto no_sample = [&](std::size_t operands) {
    constexpr std::uint32_t harmless = 0x100 | 0x200 | 0x400 | 0x800 | 0x1000 | 0x2000;
    if (i.operands.size() > operands && (i[operands] & ~harmless) != 0)
      unsupported(i, "with those image operands");
  };
  switch (i.opcode) {
    case spv::Op::OpImage:
      define_pointer(i.result, pointer(i[0]));
      return true;
    case spv::Op::OpImageRead:
    case spv::Op::OpImageFetch: {
      const Pointer image = pointer(i[0]);
      const Reg number = fetched_texel(image, i);
      const Scalar type = ir_.resources[image.resource].texel;
      check_texel(type, i);
      std::vector<Reg> components;
      for (std::uint64_t k = 0; k < types_[i.type].components && k < 4; ++k)
        components.push_back(new_reg(type));
      emit_image(Code::image_load, type, components, {number}, image);
      define(i.result, components);
      return true;
    }
    case spv::Op::OpImageWrite: {
      no_sample(3);
      const Pointer image = pointer(i[0]);
      if (image.read_only) fail_at(i, "writes what is read-only");
      const Scalar type = ir_.resources[image.resource].texel;
      check_texel(type, i);
      std::vector<Reg> operands{texel(image, i[1], i)};
      const auto value = regs(i[2]);
      operands.insert(operands.end(), value.begin(), value.end());
      while (operands.size() < 5) operands.push_back(constant(type, 0));
      emit_image(Code::image_store, type, {}, std::move(operands), image);
      return true;
    }
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQuerySize: {
      const Pointer image = pointer(i[0]);
      if (image.kind != Pointer::Kind::image) unsupported(i);
      std::vector<Reg> extent;
      for (std::uint64_t k = 0; k < types_[i.type].components && k < 3; ++k)
        extent.push_back(new_reg(Scalar::u32));
      emit_image(Code::image_size, Scalar::u32, extent, {}, image);
      // For an array of cubes, each six layers, the third number is the number of cubes.
      const Instruction& type = *type_of(i[0]).definition;
      if (static_cast<spv::Dim>(type[1]) == spv::Dim::Cube && extent.size() == 3)
        extent[2] =
            pure(Code::div, Scalar::u32, Scalar::u32, {extent[2], constant(Scalar::u32, 6)});
      define(i.result, extent);
      return true;
    }
    case spv::Op::OpImageTexelPointer: {
      Pointer image = pointer(i[0]);
      image.index = texel(image, i[1], i);
      image.type = types_[i.type].element;
      image.stride = size_of(ir_.resources[image.resource].texel);
      for (std::uint32_t e = 0; e < std::max(image.choices, 1u); ++e)
        ir_.resources[image.resource + e].atomic = true;
      image.kind = Pointer::Kind::memory;
      if (image.element != no_reg) {
        const Reg chosen = descriptor_pointer(image.resource, image.choices, image.element);
        image.kind = Pointer::Kind::address;
        image.index = pure(Code::address_add, Scalar::u64, Scalar::u64, {chosen, image.index},
                           Scalar::u32, Chain{image.stride});
      }
      define_pointer(i.result, image);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace lockstep::spirv
