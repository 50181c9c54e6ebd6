#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shader/run/aligned_bytes.hpp"
#include "shader/run/built_in_variables.hpp"
#include "shader/run/lane_map.hpp"
#include "shader/run/ops/chunk.hpp"
#include "shader/run/run.hpp"

namespace lockstep::spirv {

/// What the contexts of a thread have in common.
struct ThreadParts {
  std::uint64_t* limits = nullptr;
  const std::vector<Memory>* memory = nullptr;
  std::uint64_t max_trips = 0;
  bool only_thread = true;
  ShaderRun* run = nullptr;
  std::uint64_t* divergences = nullptr;
  Count* counts = nullptr;
  void* runner = nullptr;
};

/// The registers and state of a thread's subgroups, which serve one workgroup after another.
class SubgroupContexts {
 public:
  /// `count`: how many exist at once.
  SubgroupContexts(const DispatchArgs& args, const LaneMap& map, const ThreadParts& parts,
                   std::size_t count);

  Context& operator[](std::size_t k) { return all_[k]->context; }
  const Context& operator[](std::size_t k) const { return all_[k]->context; }

  /// Context `k` becomes a subgroup of a workgroup, before its first instruction.
  void start(std::size_t k, const Size3& workgroup, std::uint32_t subgroup) {
    Subgroup& s = *all_[k];
    Context& c = s.context;
    const bool new_workgroup = !s.started || !(c.workgroup == workgroup);
    s.started = true;
    c.workgroup = {alone(workgroup.x), alone(workgroup.y), alone(workgroup.z)};
    c.provenance = keeps_provenance(workgroup) ? args_.provenance : nullptr;
    c.subgroup = subgroup;
    c.followers = map_.is_linear() ? map_.subgroups() - 1 - subgroup : 0;
    c.state = exec::State<128>{};
    c.state.active = map_.lanes_of(subgroup);
    c.existing = to_lane_set(c.state.active);
    c.next = program_.insts.data() + program_.first;
    c.steps = c.loop_start = 0;
    c.turn_end = c.slice_end = program_.on_stack() ? tangled_slice_steps : slice_steps;
    for (const ClearedSlot& slot : program_.cleared) clear(c.regs + slot.at, slot.bytes);
    if (new_workgroup) built_ins_.set(c, Changes::with_workgroup);
    built_ins_.set_subgroup(c);
  }

 private:
  struct Subgroup {
    AlignedBytes regs;
    std::vector<FastFrame> frames;
    Context context;
    bool started = false;
  };

  void add(const ThreadParts& parts);
  void set(Context& c, const ThreadParts& parts) const;

  /// A number that is not read together with its neighbours: where one of them has just been written, the processor
  /// would wait until all that is before it has ended.
  static std::uint32_t alone(std::uint32_t number) {
    asm("" : "+r"(number));
    return number;
  }
  bool keeps_provenance(const Size3& w) const {
    return args_.provenance != nullptr &&
           args_.provenance->workgroup() == std::array{w.x, w.y, w.z};
  }
  /// Clears registers, which are whole chunks, without the cost of a call of memset.
  static void clear(std::byte* at, std::uint32_t bytes) {
    for (std::uint32_t k = 0; k < bytes; k += chunk_bytes<std::uint32_t>)
      put<std::uint32_t>(at + k, Chunk<std::uint32_t>(0));
  }

  const DispatchArgs& args_;
  const Program& program_;
  const LaneMap& map_;
  BuiltInVariables built_ins_;
  std::vector<std::unique_ptr<Subgroup>> all_;
};

}  // namespace lockstep::spirv
