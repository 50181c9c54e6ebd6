#include "shader/run/built_in_places.hpp"

#include <lockstep/exec/lane_set.hpp>

#include "shader/ir/invocation_count.hpp"

namespace lockstep::spirv {
namespace {

Changes changes(spv::BuiltIn which) {
  if (which == invocation_count) return Changes::with_subgroup;
  switch (which) {
    case spv::BuiltIn::WorkgroupId:
      return Changes::with_workgroup;
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId:
    case spv::BuiltIn::LocalInvocationIndex:
    case spv::BuiltIn::SubgroupId:
      return Changes::with_subgroup;
    default:
      return Changes::never;
  }
}

/// Whether the component is base + lane in a linear mapping.
bool is_numbers(const Program& program, spv::BuiltIn which, std::size_t number, const Slot& slot) {
  const bool one_row = program.local_size[1] == 1 && program.local_size[2] == 1;
  return which == spv::BuiltIn::LocalInvocationIndex ||
         (one_row && number == 0 && slot.varying &&
          (which == spv::BuiltIn::LocalInvocationId || which == spv::BuiltIn::GlobalInvocationId));
}

}  // namespace

BuiltInPlaces find_built_in_places(const Program& program, bool linear) {
  BuiltInPlaces found;
  for (const BuiltInSlots& b : program.built_ins) {
    for (std::size_t k = 0; k < b.slots.size(); ++k) {
      const Slot& slot = b.slots[k];
      if (slot.at == nowhere) continue;
      if (linear && is_numbers(program, b.built_in, k, slot))
        found.numbers.push_back({slot, b.built_in == spv::BuiltIn::GlobalInvocationId});
      else
        found.components[static_cast<std::size_t>(changes(b.built_in))].push_back(
            {b.built_in, k, slot});
    }
  }
  return found;
}

std::uint32_t mask_word(spv::BuiltIn which, std::size_t word, int lane, int size) {
  const LaneSet all = LaneSet::first_n(size);
  const LaneSet below = LaneSet::first_n(lane), up_to = LaneSet::first_n(lane + 1);
  LaneSet set;
  switch (which) {
    case spv::BuiltIn::SubgroupEqMask:
      set = up_to.without(below);
      break;
    case spv::BuiltIn::SubgroupGeMask:
      set = all.without(below);
      break;
    case spv::BuiltIn::SubgroupGtMask:
      set = all.without(up_to);
      break;
    case spv::BuiltIn::SubgroupLeMask:
      set = up_to;
      break;
    default:
      set = below;
  }
  set = set & all;
  const std::uint64_t half = word < 2 ? set.low : set.high;
  return static_cast<std::uint32_t>(word % 2 == 0 ? half : half >> 32);
}

}  // namespace lockstep::spirv
