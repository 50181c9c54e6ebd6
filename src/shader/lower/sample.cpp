#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "shader/lower/derivative.hpp"
#include "shader/lower/image.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/variables.hpp"

/// \file
/// Images through samplers.

namespace lockstep::spirv {
namespace {

// Bits of image operands, in the order of their values.
constexpr std::uint32_t bias = 1, lod = 2, grad = 4, const_offset = 8, offset = 16,
                        const_offsets = 32, sample = 64;

/// How an instruction samples an image.
struct Manner {
  spv::Op opcode;
  bool compares = false, projects = false, gathers = false;
  bool implicit = false;  ///< the level comes from how coordinates change over the quad
  bool queries = false;   ///< gives that level
};
constexpr Manner manners[] = {
    {.opcode = spv::Op::OpImageSampleExplicitLod},
    {.opcode = spv::Op::OpImageSampleProjExplicitLod, .projects = true},
    {.opcode = spv::Op::OpImageSampleDrefExplicitLod, .compares = true},
    {.opcode = spv::Op::OpImageSampleProjDrefExplicitLod, .compares = true, .projects = true},
    {.opcode = spv::Op::OpImageSampleImplicitLod, .implicit = true},
    {.opcode = spv::Op::OpImageSampleProjImplicitLod, .projects = true, .implicit = true},
    {.opcode = spv::Op::OpImageSampleDrefImplicitLod, .compares = true, .implicit = true},
    {.opcode = spv::Op::OpImageSampleProjDrefImplicitLod,
     .compares = true,
     .projects = true,
     .implicit = true},
    {.opcode = spv::Op::OpImageQueryLod, .implicit = true, .queries = true},
    {.opcode = spv::Op::OpImageGather, .gathers = true},
    {.opcode = spv::Op::OpImageDrefGather, .compares = true, .gathers = true},
};

struct ImageOperands {
  std::vector<Reg> bias, lod, gradients, offsets, sample;
};

/// The operands after a mask of image operands.
ImageOperands image_operands(Lowering& l, const Instruction& i, std::size_t at,
                             std::uint32_t known) {
  ImageOperands found;
  if (i.operands.size() <= at) return found;
  const std::uint32_t mask = i[at];
  if ((mask & ~(known | harmless_image_operands)) != 0)
    l.unsupported(i, "with these image operands");
  std::size_t next = at + 1;
  const auto take = [&](std::vector<Reg>& into) {
    const auto components = l.regs(i[next++]);
    into.insert(into.end(), components.begin(), components.end());
  };
  if ((mask & bias) != 0) take(found.bias);
  if ((mask & lod) != 0) take(found.lod);
  if ((mask & grad) != 0) {
    take(found.gradients);
    take(found.gradients);
  }
  if ((mask & (const_offset | offset | const_offsets)) != 0) take(found.offsets);
  if ((mask & sample) != 0) take(found.sample);
  return found;
}

std::uint32_t known_operands(const Manner& manner) {
  if (manner.queries) return 0;
  if (manner.gathers) return const_offset | offset | const_offsets;
  return (manner.implicit ? bias : lod | grad) | const_offset | offset;
}

/// The gradients that give the implicit level of detail.
std::vector<Reg> implicit_gradients(Lowering& l, const Instruction& i,
                                    std::span<const Reg> coordinates) {
  std::vector<Reg> gradients;
  for (const Axis axis : {Axis::x, Axis::y}) {
    for (const Reg r : derivatives(l, coordinates, axis, i)) gradients.push_back(r);
  }
  return gradients;
}

/// Throws Error for image operands of other sizes than the coordinates ask for.
void check_sizes(const Instruction& i, const ImageOperands& more, const ResourceUse& use,
                 std::size_t axes, std::size_t coordinates, const Manner& manner) {
  const std::size_t offsets = more.offsets.size();
  const bool four_offsets = manner.gathers && offsets == 8;
  if (more.lod.size() > 1 ||
      (!more.gradients.empty() && more.gradients.size() != 2 * coordinates) ||
      (offsets != 0 && (use.cube || (offsets != axes && !four_offsets))))
    fail_at(i, "has image operands of the wrong sizes");
}

std::vector<Reg> new_results(Lowering& l, const Instruction& i, Scalar type) {
  std::vector<Reg> results;
  for (std::uint64_t k = 0; k < l.types()[i.type].components && k < 4; ++k)
    results.push_back(l.new_reg(type));
  return results;
}

void lower_sampling(Lowering& l, const Instruction& i) {
  const Manner& manner = rule_of(manners, i.opcode);
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image || image.sampler == no_resource)
    l.unsupported(i, "on an operand that is not a sampled image");
  const ResourceUse& use = l.ir().resources[image.resource];
  const std::size_t axes = use.axes;
  // A cube has a direction of three numbers, and gradients of directions.
  const std::size_t without_layer = axes + (use.cube ? 1 : 0);
  const bool has_layer = use.arrayed && !manner.queries;
  const std::size_t wanted = without_layer + (has_layer ? 1 : 0);
  const std::vector<Reg> coordinates(l.regs(i[1]).begin(), l.regs(i[1]).end());
  if (coordinates.size() < wanted + (manner.projects ? 1 : 0))
    fail_at(i, "has too few coordinates");
  // With projection, the last coordinate divides the others and the reference.
  const auto projected = [&](Reg r) {
    if (!manner.projects) return r;
    return l.pure(Code::div, Scalar::f32, Scalar::f32, {r, coordinates[wanted]});
  };
  std::vector<Reg> operands;
  for (std::size_t k = 0; k < wanted; ++k) operands.push_back(projected(coordinates[k]));
  std::uint64_t component = 0;
  std::size_t next = 2;
  if (manner.compares)
    operands.push_back(projected(l.scalar_of(i, next++)));
  else if (manner.gathers)
    component = l.constant_bits(i[next++]) & 3;
  ImageOperands more = image_operands(l, i, next, known_operands(manner));
  if (manner.implicit) {
    more.gradients = implicit_gradients(l, i, std::span(operands).first(without_layer));
    // With gradients, the operand for a level is the bias; only those of a quad have one.
    more.lod = more.bias.empty() ? std::vector<Reg>{l.constant(Scalar::f32, 0)} : more.bias;
  }
  check_sizes(i, more, use, axes, without_layer, manner);
  for (const auto* list : {&more.lod, &more.gradients, &more.offsets})
    operands.insert(operands.end(), list->begin(), list->end());
  for (const Reg r : operands)
    if (size_of(l.ir().regs[r].type) != 4)
      l.unsupported(i, "with operands that are not of 32 bits");
  if (image.element != no_reg) operands.push_back(image.element);
  if (image.sampler_element != no_reg) operands.push_back(image.sampler_element);
  const Scalar type = manner.queries ? Scalar::f32 : use.texel;
  if (size_of(type) != 4) l.unsupported(i, "with texels that are not of 32 bits");
  const std::vector<Reg> results = new_results(l, i, type);
  l.emit(Code::image_sample, type, results, std::move(operands),
         Sampling{.image = {.resource = image.resource,
                            .choices = image.element != no_reg ? image.choices : 0},
                  .sampler = image.sampler,
                  .sampler_choices = image.sampler_element != no_reg ? image.sampler_choices : 0,
                  .axes = static_cast<std::uint8_t>(axes),
                  .coordinates = static_cast<std::uint8_t>(without_layer),
                  .arrayed = has_layer,
                  .compares = manner.compares,
                  .gathers = manner.gathers,
                  .queries_level = manner.queries,
                  .component = static_cast<std::uint8_t>(component),
                  .has_lod = !more.lod.empty(),
                  .gradients = static_cast<std::uint8_t>(more.gradients.size()),
                  .offsets = static_cast<std::uint8_t>(more.offsets.size())});
  l.define(i.result, results);
}

void lower_sampled_image(Lowering& l, const Instruction& i) {
  Pointer image = pointer(l, i[0]);
  const Pointer sampler = pointer(l, i[1]);
  if (image.kind != Pointer::Kind::image || sampler.kind != Pointer::Kind::sampler)
    l.unsupported(i, "with operands that are not an image and a sampler");
  image.sampler = sampler.sampler;
  image.sampler_element = sampler.sampler_element;
  image.sampler_choices = sampler.sampler_choices;
  l.define_pointer(i.result, image);
}

}  // namespace

void sampler_variable(Lowering& l, const Instruction& i, const Type& pointee, Pointer& p) {
  const Decorations& decorations = l.module().decorations(i.result);
  ResourceUse use;
  use.kind = ResourceUse::Kind::sampler;
  if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) use.set = *set;
  if (const auto* binding = decorations.find(spv::Decoration::Binding)) use.binding = *binding;
  use.writable = false;
  use.name = l.module().name(i.result);
  use.optional = pointee.kind == Type::Kind::runtime_array;
  p.sampler = static_cast<std::uint32_t>(l.ir().resources.size());
  add_resources(l, i, use, descriptors(l, i, pointee));
}

Reg fetched_texel(Lowering& l, const Pointer& image, const Instruction& i) {
  const ImageOperands more = image_operands(l, i, 2, lod | const_offset | offset | sample);
  return texel(l, image, i[1], i, {more.offsets, more.sample, more.lod});
}

void add_sampling(OpcodeTable& table) {
  for (const Manner& manner : manners) table.add(manner.opcode, lower_sampling);
  table.add(spv::Op::OpSampledImage, lower_sampled_image);
}

}  // namespace lockstep::spirv
