#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/lanes/mask.hpp>

#include "shader/run/run.hpp"

namespace lockstep::spirv {

/// Invocations of a workgroup.
std::uint32_t invocations_of(const Program& program);
/// Subgroups of a workgroup.
std::uint32_t subgroups_of(const DispatchArgs& args);

/// Which invocation of a workgroup each lane of its subgroups has.
///
/// Requires      A args with a program.
/// Active lanes  None.
/// Errors        None.
/// Cost          A table of all lanes, but for the linear mapping.
/// Spec          Vulkan: gl_SubgroupID and gl_SubgroupInvocationID of an invocation are the implementation's choice
/// Example       src/shader/run/run.cpp
class LaneMap {
 public:
  explicit LaneMap(const DispatchArgs& args);

  /// Whether lane k of subgroup s has invocation s * size + k.
  bool is_linear() const { return invocations_.empty(); }
  std::uint32_t subgroups() const { return subgroups_; }
  /// The lanes of a full subgroup, and with the linear mapping those of the last one.
  const Mask<128>& all_lanes() const { return all_lanes_; }
  const Mask<128>& last_lanes() const { return last_lanes_; }
  /// The lanes of a subgroup that have an invocation.
  Mask<128> lanes_of(std::uint32_t subgroup) const {
    if (!mapped_lanes_.empty()) [[unlikely]]
      return mapped_lanes_[subgroup];
    return subgroup + 1 < subgroups_ ? all_lanes_ : last_lanes_;
  }
  /// gl_LocalInvocationIndex of a lane; any value for a lane without an invocation.
  std::uint32_t invocation_of(std::uint32_t subgroup, std::uint32_t lane) const {
    const std::uint32_t at = subgroup * size_ + lane;
    if (invocations_.empty()) return at;
    return at < invocations_.size() ? invocations_[at] : 0;
  }

 private:
  void map_lanes();

  std::uint32_t size_, subgroups_;
  Mask<128> all_lanes_, last_lanes_;
  std::vector<std::uint32_t> invocations_;  ///< by subgroup and lane; empty for the linear mapping
  std::vector<Mask<128>> mapped_lanes_;     ///< by subgroup; likewise
};

}  // namespace lockstep::spirv
