#include <algorithm>

#include <fmt/format.h>

#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"

/// \file
/// Images through samplers.

namespace lockstep::spirv {
namespace {

// Bits of image operands, in the order of their values.
constexpr std::uint32_t lod = 2, grad = 4, const_offset = 8, offset = 16, const_offsets = 32,
                        harmless = 0x100 | 0x200 | 0x400 | 0x800 | 0x1000 | 0x2000;

/// How an instruction samples an image.
struct Manner {
  spv::Op opcode;
  bool compares = false, projects = false, gathers = false;
};
constexpr Manner manners[] = {
    {.opcode = spv::Op::OpImageSampleExplicitLod},
    {.opcode = spv::Op::OpImageSampleProjExplicitLod, .projects = true},
    {.opcode = spv::Op::OpImageSampleDrefExplicitLod, .compares = true},
    {.opcode = spv::Op::OpImageSampleProjDrefExplicitLod, .compares = true, .projects = true},
    {.opcode = spv::Op::OpImageGather, .gathers = true},
    {.opcode = spv::Op::OpImageDrefGather, .compares = true, .gathers = true},
};

}  // namespace

/// A sampler, or that of a combined image and sampler: one per descriptor.
void Lowering::sampler_variable(const Instruction& i, const Type& pointee, Pointer& p) {
  const Decorations& decorations = module_.decorations(i.result);
  ResourceUse use;
  use.kind = ResourceUse::Kind::sampler;
  if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) use.set = *set;
  if (const auto* binding = decorations.find(spv::Decoration::Binding)) use.binding = *binding;
  use.writable = false;
  use.name = module_.name(i.result);
  use.optional = pointee.kind == Type::Kind::runtime_array;
  p.sampler = static_cast<std::uint32_t>(ir_.resources.size());
  add_resources(i, use, descriptors(i, pointee));
}

/// The operands after a mask of image operands.
Lowering::ImageOperands Lowering::image_operands(const Instruction& i, std::size_t at,
                                                 std::uint32_t known) {
  ImageOperands found;
  if (i.operands.size() <= at) return found;
  const std::uint32_t mask = i[at];
  if ((mask & ~(known | harmless)) != 0) unsupported(i, "with those image operands");
  std::size_t next = at + 1;
  const auto take = [&](std::vector<Reg>& into) {
    const auto components = regs(i[next++]);
    into.insert(into.end(), components.begin(), components.end());
  };
  if ((mask & lod) != 0) take(found.lod);
  if ((mask & grad) != 0) {
    take(found.gradients);
    take(found.gradients);
  }
  if ((mask & (const_offset | offset | const_offsets)) != 0) take(found.offsets);
  return found;
}

/// The number of a texel that is read without a sampler; only the first level exists.
Reg Lowering::fetched_texel(const Pointer& image, const Instruction& i) {
  const ImageOperands more = image_operands(i, 2, lod | const_offset | offset);
  const Reg number = texel(image, i[1], i, more.offsets);
  if (more.lod.empty()) return number;
  const Reg first = pure(Code::equal, Scalar::u32, Scalar::boolean,
                         {as_u32(more.lod[0]), constant(Scalar::u32, 0)});
  return pure(Code::select, Scalar::u32, Scalar::u32,
              {first, number, constant(Scalar::u32, 0xffffffff)});
}

bool Lowering::lower_sampling(const Instruction& i) {
  const Manner& manner = rule_of(manners, i.opcode);
  const Pointer image = pointer(i[0]);
  if (image.kind != Pointer::Kind::image || image.sampler == no_resource)
    unsupported(i, "of something that is not an image with a sampler");
  const ResourceUse& use = ir_.resources[image.resource];
  const std::size_t axes = use.dimensions - (use.arrayed ? 1 : 0);
  const std::vector<Reg> coordinates(regs(i[1]).begin(), regs(i[1]).end());
  if (coordinates.size() < use.dimensions + (manner.projects ? 1 : 0))
    fail_at(i, "has too few coordinates");
  // With projection, the last coordinate divides the others and the reference.
  const auto projected = [&](Reg r) {
    if (!manner.projects) return r;
    return pure(Code::div, Scalar::f32, Scalar::f32, {r, coordinates[use.dimensions]});
  };
  std::vector<Reg> operands;
  for (std::size_t k = 0; k < use.dimensions; ++k) operands.push_back(projected(coordinates[k]));
  std::uint64_t component = 0;
  std::size_t next = 2;
  if (manner.compares)
    operands.push_back(projected(scalar_of(i, next++)));
  else if (manner.gathers)
    component = constant_bits(i[next++]) & 3;
  const ImageOperands more = image_operands(
      i, next,
      manner.gathers ? const_offset | offset | const_offsets : lod | grad | const_offset | offset);
  for (const auto* list : {&more.lod, &more.gradients, &more.offsets})
    operands.insert(operands.end(), list->begin(), list->end());
  for (const Reg r : operands)
    if (size_of(ir_.regs[r].type) != 4) unsupported(i, "with operands that are not of 32 bits");
  if (image.element != no_reg) operands.push_back(image.element);
  if (image.sampler_element != no_reg) operands.push_back(image.sampler_element);
  const Scalar type = use.texel;
  if (size_of(type) != 4) unsupported(i, "of texels without 32 bits in the shader");
  std::vector<Reg> results;
  for (std::uint64_t k = 0; k < types_[i.type].components && k < 4; ++k)
    results.push_back(new_reg(type));
  emit(Code::image_sample, type, results, std::move(operands),
       Sampling{.image = {image.resource, image.element != no_reg ? image.choices : 0},
                .sampler = image.sampler,
                .sampler_choices = image.sampler_element != no_reg ? image.sampler_choices : 0,
                .axes = static_cast<std::uint8_t>(axes),
                .arrayed = use.arrayed,
                .compares = manner.compares,
                .gathers = manner.gathers,
                .component = static_cast<std::uint8_t>(component),
                .has_lod = !more.lod.empty(),
                .gradients = static_cast<std::uint8_t>(more.gradients.size()),
                .offsets = static_cast<std::uint8_t>(more.offsets.size())});
  define(i.result, results);
  return true;
}

/// Queries of an image's levels, of which there is one.
bool Lowering::lower_sampled_query(const Instruction& i) {
  switch (i.opcode) {
    case spv::Op::OpSampledImage: {
      Pointer image = pointer(i[0]);
      const Pointer sampler = pointer(i[1]);
      if (image.kind != Pointer::Kind::image || sampler.kind != Pointer::Kind::sampler)
        unsupported(i, "of something that is not an image and sampler");
      image.sampler = sampler.sampler;
      image.sampler_element = sampler.sampler_element;
      image.sampler_choices = sampler.sampler_choices;
      define_pointer(i.result, image);
      return true;
    }
    case spv::Op::OpImageQueryLevels:
      define(i.result, constant(Scalar::i32, 1));
      return true;
    default:
      return false;
  }
}

void add_images(OpcodeTable& table) {
  for (const spv::Op op :
       {spv::Op::OpImage, spv::Op::OpImageRead, spv::Op::OpImageFetch, spv::Op::OpImageWrite,
        spv::Op::OpImageQuerySizeLod, spv::Op::OpImageQuerySize, spv::Op::OpImageTexelPointer})
    table.add(op, by_member<&Lowering::lower_image>);
  for (const Manner& manner : manners)
    table.add(manner.opcode, by_member<&Lowering::lower_sampling>);
  table.add(spv::Op::OpSampledImage, by_member<&Lowering::lower_sampled_query>);
  table.add(spv::Op::OpImageQueryLevels, by_member<&Lowering::lower_sampled_query>);
}

}  // namespace lockstep::spirv
