#include "shader/lower/shared_bindings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shader/front/encoded.hpp"
#include "shader/front/used_ids.hpp"
#include "shader/lower/lower.hpp"

namespace lockstep::spirv {
namespace {

/// What a descriptor is; two of images and samplers can be one combined descriptor.
enum class Kind : std::uint8_t { none, uniform_buffer, storage_buffer, storage_image, sampled };

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::uniform_buffer:
      return "a uniform buffer";
    case Kind::storage_buffer:
      return "a storage buffer";
    case Kind::storage_image:
      return "a storage image";
    default:
      return "a sampler or sampled image";
  }
}

Kind kind_of_image(const Type& image) {
  constexpr std::uint32_t storage = 2;
  return (*image.definition)[5] == storage ? Kind::storage_image : Kind::sampled;
}

/// The type of a variable, or of the elements of its arrays.
const Type& resource_type(Lowering& l, const Instruction& variable) {
  const Type* one = &l.types()[l.types()[variable.type].element];
  while (one->kind == Type::Kind::array || one->kind == Type::Kind::runtime_array)
    one = &l.types()[one->element];
  return *one;
}

Kind kind_of(Lowering& l, const Instruction& variable) {
  const Type& pointer = l.types()[variable.type];
  if (pointer.kind != Type::Kind::pointer) return Kind::none;
  const Type& one = resource_type(l, variable);
  switch (pointer.storage) {
    case spv::StorageClass::StorageBuffer:
      return Kind::storage_buffer;
    case spv::StorageClass::Uniform:
      return l.module().decorations(one.id).has(spv::Decoration::BufferBlock)
                 ? Kind::storage_buffer
                 : Kind::uniform_buffer;
    case spv::StorageClass::UniformConstant:
      return one.kind == Type::Kind::image ? kind_of_image(one) : Kind::sampled;
    default:
      return Kind::none;
  }
}

/// Whether a storage buffer is only read, as those in HLSL's t registers are.
bool is_read_only(Lowering& l, const Instruction& variable) {
  if (l.module().decorations(variable.result).has(spv::Decoration::NonWritable)) return true;
  const Type& one = resource_type(l, variable);
  if (one.kind != Type::Kind::structure || one.members.empty()) return false;
  for (std::uint32_t m = 0; m < one.members.size(); ++m) {
    if (!l.module().member_decorations(one.id, m).has(spv::Decoration::NonWritable)) return false;
  }
  return true;
}

using SetBinding = std::pair<std::uint32_t, std::uint32_t>;

std::map<SetBinding, std::vector<const Instruction*>> shared_places(const Module& module) {
  std::map<SetBinding, std::vector<const Instruction*>> places;
  for (const Instruction* i : module.globals()) {
    if (i->opcode != spv::Op::OpVariable) continue;
    const Decorations& decorations = module.decorations(i->result);
    const auto* set = decorations.find(spv::Decoration::DescriptorSet);
    const auto* binding = decorations.find(spv::Decoration::Binding);
    if (binding != nullptr) places[{set != nullptr ? *set : 0, *binding}].push_back(i);
  }
  std::erase_if(places, [](const auto& place) { return place.second.size() < 2; });
  return places;
}

bool is_of_hlsl(const Module& module) {
  for (const Encoded i : EncodedInstructions(module.words())) {
    if (i.opcode() == spv::Op::OpSource && i.words.size() > 1 &&
        static_cast<spv::SourceLanguage>(i.words[1]) == spv::SourceLanguage::HLSL)
      return true;
  }
  return false;
}

}  // namespace

void check_shared_bindings(Lowering& l, Id entry) {
  const auto places = shared_places(l.module());
  if (places.empty()) return;
  const bool hlsl = is_of_hlsl(l.module());
  const std::vector<bool> used = used_ids(l.module(), entry);
  for (const auto& [place, variables] : places) {
    const Instruction* first = nullptr;
    for (const Instruction* variable : variables) {
      const Kind kind = kind_of(l, *variable);
      if (kind == Kind::none || !used[variable->result]) continue;
      if (first == nullptr) {
        first = variable;
        continue;
      }
      const Kind other = kind_of(l, *first);
      const std::string both = fmt::format(
          "'{}' and '{}' are both at set {}, binding {}", l.module().name(first->result),
          l.module().name(variable->result), place.first, place.second);
      if (kind != other)
        fail_at(*variable,
                fmt::format("{}, but one is {} and the other {}: give each a binding of its own",
                            both, name_of(other), name_of(kind)));
      if (hlsl && is_read_only(l, *variable) != is_read_only(l, *first))
        fail_at(*variable,
                fmt::format("{}, but HLSL counts its registers t and u separately: give each a "
                            "[[vk::binding]], or compile with shifts (dxc "
                            "-fvk-t-shift 1000 all -fvk-u-shift 3000 all)",
                            both));
    }
  }
}

}  // namespace lockstep::spirv
