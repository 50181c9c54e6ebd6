#include "shader/run/built_in_variables.hpp"

#include <algorithm>

#include "shader/ir/invocation_count.hpp"

namespace lockstep::spirv {

void BuiltInVariables::set(Context& c, const Component& component) const {
  const auto& local = program_.local_size;
  const std::uint32_t group[3] = {c.workgroup.x, c.workgroup.y, c.workgroup.z};
  const std::uint32_t groups[3] = {workgroups_.x, workgroups_.y, workgroups_.z};
  const auto local_id = [&](std::size_t k, std::uint32_t index) {
    return k == 0   ? index % local[0]
           : k == 1 ? index / local[0] % local[1]
                    : index / local[0] / local[1];
  };
  const Slot& slot = component.slot;
  const std::size_t d = std::min<std::size_t>(component.number, 2);
  if (component.built_in == invocation_count)
    return put_one(c, slot, static_cast<std::uint32_t>(c.existing.count()));
  switch (component.built_in) {
    case spv::BuiltIn::NumWorkgroups:
      return put_one(c, slot, groups[d]);
    case spv::BuiltIn::WorkgroupSize:
      return put_one(c, slot, local[d]);
    case spv::BuiltIn::WorkgroupId:
      return put_one(c, slot, group[d]);
    case spv::BuiltIn::LocalInvocationId:
      if (!slot.varying) return put_one(c, slot, 0);
      return put_lanes(c, slot, [&](std::uint32_t lane) {
        return local_id(d, map_.invocation_of(c.subgroup, lane));
      });
    case spv::BuiltIn::LocalInvocationIndex:
      return put_lanes(c, slot,
                       [&](std::uint32_t lane) { return map_.invocation_of(c.subgroup, lane); });
    case spv::BuiltIn::GlobalInvocationId:
      if (!slot.varying) return put_one(c, slot, group[d] * local[d]);
      return put_lanes(c, slot, [&](std::uint32_t lane) {
        return group[d] * local[d] + local_id(d, map_.invocation_of(c.subgroup, lane));
      });
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
