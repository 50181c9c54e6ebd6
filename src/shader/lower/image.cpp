#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "shader/lower/barrier.hpp"
#include "shader/lower/image.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"
#include "shader/lower/variables.hpp"

/// \file
/// Storage images and texel buffers. Coordinates become the number of a texel, which accesses use
/// as an index.

namespace lockstep::spirv {
namespace {

bool is_multisample(const Instruction& type) { return type[4] != 0; }

/// The extents that levels halve: those of coordinates that are no layer, face or sample. 0 for other images.
std::uint8_t axes_of(const Instruction& type) {
  switch (static_cast<spv::Dim>(type[1])) {
    case spv::Dim::Dim1D:
    case spv::Dim::Buffer:
      return 1;
    case spv::Dim::Dim2D:
    case spv::Dim::Cube:
      return 2;
    case spv::Dim::Dim3D:
      return 3;
    default:
      return 0;
  }
}

/// Adds a level of detail to operands, unless it is the first.
void add_level(Lowering& l, std::vector<Reg>& operands, Reg level) {
  const Reg number = l.as_u32(level);
  if (number != l.constant(l.scalar_type(number), 0)) operands.push_back(number);
}

/// For an array of images with an index that is not constant, the index is the last operand.
void emit_image(Lowering& l, Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src,
                const Pointer& image, ImageOp how = {}) {
  if (image.element != no_reg) src.push_back(image.element);
  how.resource = image.resource;
  how.choices = image.element != no_reg ? image.choices : 0;
  l.emit(code, type, std::move(dst), std::move(src), how);
}

/// How an access orders memory: as the image does, or as the last image operand says, which is a scope.
MemoryOrder texel_order(Lowering& l, Pointer image, const Instruction& i, std::size_t mask,
                        spv::ImageOperandsMask has_scope, std::uint32_t change) {
  const std::uint32_t given = i.operands.size() > mask ? i[mask] : 0;
  if ((given & static_cast<std::uint32_t>(has_scope)) != 0)
    image.coherent = scope_of(l, i, i.operands.size() - 1);
  return access_order(image, change);
}

/// A property of an image that is one number.
Reg queried(Lowering& l, const Pointer& image, ImageOp::Query query) {
  const Reg result = l.new_reg(Scalar::u32);
  emit_image(l, Code::image_size, Scalar::u32, {result}, {}, image, {.query = query});
  return result;
}

/// The slice of a layer's sample in an array of multisample images; all ones for a sample that there is not, and for
/// layers so far away that the slice's number would overflow.
Reg slice_of(Lowering& l, const Pointer& image, Reg layer, Reg sample) {
  using enum Scalar;
  const Reg samples = queried(l, image, ImageOp::Query::samples);
  const Reg none = l.constant(u32, 0xffffffff);
  const Reg first = l.pure(Code::mul, u32, u32, {layer, samples});
  const Reg slice = l.pure(Code::add, u32, u32, {first, sample});
  const Reg layers = l.pure(Code::div, u32, u32, {none, samples});
  const Reg is_near = l.pure(Code::less, u32, boolean, {layer, layers});
  const Reg of_layer = l.pure(Code::select, u32, u32, {is_near, slice, none});
  const Reg exists = l.pure(Code::less, u32, boolean, {sample, samples});
  return l.pure(Code::select, u32, u32, {exists, of_layer, none});
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
  const MemoryOrder order = texel_order(l, image, i, 2, spv::ImageOperandsMask::MakeTexelVisible,
                                        memory_semantics::make_visible);
  emit_image(l, Code::image_load, type, components, {number}, image, {.order = order});
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
  // Of a longer vector the components beyond the texel's are not stored.
  const auto value = l.regs(i[2]);
  operands.insert(
      operands.end(), value.begin(),
      value.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(value.size(), 4)));
  while (operands.size() < 5) operands.push_back(l.constant(type, 0));
  const MemoryOrder order =
      texel_order(l, image, i, mask, spv::ImageOperandsMask::MakeTexelAvailable,
                  memory_semantics::make_available);
  emit_image(l, Code::image_store, type, {}, std::move(operands), image, {.order = order});
}

void lower_size_query(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image) l.unsupported(i);
  std::vector<Reg> extent, level;
  for (std::uint64_t k = 0; k < l.types()[i.type].components && k < 3; ++k)
    extent.push_back(l.new_reg(Scalar::u32));
  if (i.opcode == spv::Op::OpImageQuerySizeLod) add_level(l, level, l.scalar_of(i, 1));
  emit_image(l, Code::image_size, Scalar::u32, extent, level, image, {.has_level = !level.empty()});
  // Of arrays the third number is that of the cubes, each six layers, or of the layers, each with all samples.
  const ResourceUse& use = l.ir().resources[image.resource];
  if (extent.size() == 3 && (use.cube || use.multisample)) {
    const Reg slices =
        use.cube ? l.constant(Scalar::u32, 6) : queried(l, image, ImageOp::Query::samples);
    extent[2] = l.pure(Code::div, Scalar::u32, Scalar::u32, {extent[2], slices});
  }
  l.define(i.result, extent);
}

void lower_samples_query(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image) l.unsupported(i);
  l.define(i.result, queried(l, image, ImageOp::Query::samples));
}

void lower_levels_query(Lowering& l, const Instruction& i) {
  const Pointer image = pointer(l, i[0]);
  if (image.kind != Pointer::Kind::image) l.unsupported(i);
  l.define(i.result, queried(l, image, ImageOp::Query::levels));
}

void lower_texel_pointer(Lowering& l, const Instruction& i) {
  Pointer image = pointer(l, i[0]);
  // Other images have a sample, too, which is 0.
  TexelOperands more;
  if (image.kind == Pointer::Kind::image && l.ir().resources[image.resource].multisample)
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
  const bool layers = type[3] != 0 || dim == spv::Dim::Cube || is_multisample(type);
  if (axes_of(type) == 0 || (axes_of(type) == 3 && layers)) return;
  const Decorations& decorations = l.module().decorations(i.result);
  ResourceUse use;
  use.kind = ResourceUse::Kind::image;
  if (const auto* set = decorations.find(spv::Decoration::DescriptorSet)) use.set = *set;
  if (const auto* binding = decorations.find(spv::Decoration::Binding)) use.binding = *binding;
  use.writable = type[5] == storage && !decorations.has(spv::Decoration::NonWritable);
  use.name = l.module().name(i.result);
  use.texel = l.types()[type[0]].scalar;
  use.axes = axes_of(type);
  use.dimensions = use.axes + (layers ? 1u : 0u);
  use.arrayed = type[3] != 0;
  use.cube = dim == spv::Dim::Cube;
  use.multisample = is_multisample(type);
  p.kind = Pointer::Kind::image;
  p.resource = static_cast<std::uint32_t>(l.ir().resources.size());
  p.read_only = !use.writable;
  add_default_coherence(p, l.module());
  add_qualifiers(p, decorations);
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
  const ResourceUse& use = l.ir().resources[image.resource];
  const std::uint32_t wanted = use.dimensions;
  const bool multisample_array = use.multisample && use.arrayed;
  std::vector<Reg> at(l.regs(coordinates).begin(), l.regs(coordinates).end());
  if (use.multisample && !use.arrayed) at.insert(at.end(), more.sample.begin(), more.sample.end());
  if (at.size() < wanted) fail_at(i, "has too few coordinates");
  at.resize(wanted);
  for (std::size_t k = 0; k < at.size(); ++k) {
    at[k] = l.as_u32(at[k]);
    if (k < more.offset.size())
      at[k] = l.pure(Code::add, Scalar::u32, Scalar::u32, {at[k], l.as_u32(more.offset[k])});
  }
  if (multisample_array) {
    const Reg sample = more.sample.empty() ? l.constant(Scalar::u32, 0) : l.as_u32(more.sample[0]);
    at.back() = slice_of(l, image, at.back(), sample);
  }
  const Reg number = l.new_reg(Scalar::u32);
  const std::size_t without = at.size();
  if (!more.level.empty()) add_level(l, at, more.level[0]);
  emit_image(l, Code::image_texel, Scalar::u32, {number}, at, image,
             {.has_level = at.size() > without});
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
      {spv::Op::OpImageQueryLevels, lower_levels_query},
      {spv::Op::OpImageTexelPointer, lower_texel_pointer},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
