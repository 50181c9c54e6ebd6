#include "shader/run/lane_map.hpp"

#include <cstddef>

#include <lockstep/dispatch/mapping.hpp>

namespace lockstep::spirv {

std::uint32_t invocations_of(const Program& program) {
  return program.local_size[0] * program.local_size[1] * program.local_size[2];
}

std::uint32_t subgroups_of(const DispatchArgs& args) {
  const Program& program = *args.program;
  if (!args.lanes.empty())
    return static_cast<std::uint32_t>(args.lanes.size()) / static_cast<std::uint32_t>(program.size);
  return subgroup_count(args.settings.mapping, invocations_of(program), program.size);
}

LaneMap::LaneMap(const DispatchArgs& args)
    : size_(static_cast<std::uint32_t>(args.program->size)),
      subgroups_(subgroups_of(args)),
      all_lanes_(Mask<128>::first_n(args.program->size)) {
  const Program& program = *args.program;
  const Size3 local{program.local_size[0], program.local_size[1], program.local_size[2]};
  if (!args.lanes.empty())
    invocations_.assign(args.lanes.begin(), args.lanes.end());
  else if (!args.settings.mapping.is_linear())
    invocations_ = invocations(args.settings.mapping, local, program.size);
  if (is_linear())
    last_lanes_ =
        Mask<128>::first_n(static_cast<int>(invocations_of(program) - (subgroups_ - 1) * size_));
  else
    map_lanes();
}

void LaneMap::map_lanes() {
  for (std::size_t first = 0; first < invocations_.size(); first += size_) {
    Mask<128>& lanes = mapped_lanes_.emplace_back();
    for (std::size_t lane = 0; lane < size_; ++lane) {
      if (invocations_[first + lane] == no_invocation)
        invocations_[first + lane] = 0;
      else
        lanes = lanes | Mask<128>::lane(static_cast<int>(lane));
    }
  }
}

}  // namespace lockstep::spirv
