#include "shader/run/built_in_variables.hpp"

#include <algorithm>

#include "shader/ir/invocation_count.hpp"

namespace lockstep::spirv {

BuiltInVariables::BuiltInVariables(const DispatchArgs& args, const LaneMap& map)
    : program_(*args.program),
      workgroups_(args.workgroups),
      map_(map),
      places_(find_built_in_places(program_, map.is_linear())) {
  for (const auto& component : places_.components[static_cast<std::size_t>(Changes::with_subgroup)])
    if (component.built_in == spv::BuiltIn::LocalInvocationId ||
        component.built_in == spv::BuiltIn::GlobalInvocationId)
      find_local_ids(std::min<std::size_t>(component.number, 2));
}

void BuiltInVariables::find_local_ids(std::size_t axis) {
  const auto& local = program_.local_size;
  const std::size_t size = static_cast<std::size_t>(program_.size);
  std::vector<std::uint32_t>& ids = local_ids_[axis];
  // As long as what the last subgroup's registers hold.
  ids.resize((map_.subgroups() - 1) * size + program_.chunks * chunk_lanes);
  for (std::size_t at = 0; at < ids.size(); ++at) {
    const std::uint32_t index = map_.invocation_of(0, static_cast<std::uint32_t>(at));
    ids[at] = axis == 0   ? index % local[0]
              : axis == 1 ? index / local[0] % local[1]
                          : index / local[0] / local[1];
  }
}

void BuiltInVariables::put_local_ids(Context& c, const Slot& slot, std::size_t axis,
                                     std::uint32_t first) const {
  using Uint = Chunk<std::uint32_t>;
  const std::uint32_t* const ids =
      local_ids_[axis].data() + std::size_t{c.subgroup} * static_cast<std::size_t>(program_.size);
  for (unsigned k = 0; k < program_.chunks; ++k)
    put<std::uint32_t>(c.regs + slot.at + k * chunk_bytes<std::uint32_t>,
                       Uint::load(ids + k * chunk_lanes) + Uint(first));
}

void BuiltInVariables::set(Context& c, const Component& component) const {
  const auto& local = program_.local_size;
  // One at a time, as they have just been written.
  const auto along = [](const Size3& size, std::size_t axis) {
    return axis == 0 ? size.x : axis == 1 ? size.y : size.z;
  };
  const Slot& slot = component.slot;
  const std::size_t d = std::min<std::size_t>(component.number, 2);
  if (component.built_in == invocation_count)
    return put_one(c, slot, static_cast<std::uint32_t>(c.existing.count()));
  switch (component.built_in) {
    case spv::BuiltIn::NumWorkgroups:
      return put_one(c, slot, along(workgroups_, d));
    case spv::BuiltIn::WorkgroupSize:
      return put_one(c, slot, local[d]);
    case spv::BuiltIn::WorkgroupId:
      return put_one(c, slot, along(c.workgroup, d));
    case spv::BuiltIn::LocalInvocationId:
      if (!slot.varying) return put_one(c, slot, 0);
      return put_local_ids(c, slot, d, 0);
    case spv::BuiltIn::LocalInvocationIndex:
      return put_lanes(c, slot,
                       [&](std::uint32_t lane) { return map_.invocation_of(c.subgroup, lane); });
    case spv::BuiltIn::GlobalInvocationId:
      if (!slot.varying) return put_one(c, slot, along(c.workgroup, d) * local[d]);
      return put_local_ids(c, slot, d, along(c.workgroup, d) * local[d]);
    case spv::BuiltIn::SubgroupSize:
      return put_one(c, slot, static_cast<std::uint32_t>(program_.size));
    case spv::BuiltIn::NumSubgroups:
      return put_one(c, slot, map_.subgroups());
    case spv::BuiltIn::SubgroupId:
      return put_one(c, slot, c.subgroup);
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return put_numbers(c, slot, 0);
    case spv::BuiltIn::DeviceIndex:
      return put_one(c, slot, 0);
    default:
      return put_lanes(c, slot, [&](std::uint32_t lane) {
        return mask_word(component.built_in, component.number, static_cast<int>(lane),
                         program_.size);
      });
  }
}

}  // namespace lockstep::spirv
