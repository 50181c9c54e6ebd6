#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/spirv/interruption.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

#include "runtime/dispatch/patience.hpp"
#include "shader/run/grid.hpp"
#include "shader/run/lane_map.hpp"
#include "shader/run/run.hpp"
#include "shader/run/subgroup_contexts.hpp"
#include "shader/run/tangled_run.hpp"
#include "shader/run/thread_memory.hpp"

namespace lockstep::spirv {

/// Runs workgroups of a dispatch on one thread.
class Runner : public WorkgroupRun::Subgroups {
 public:
  Runner(const DispatchArgs& args, bool only_thread);

  ShaderRun run(std::size_t begin, std::size_t end);

  /// A note that an endless loop may wait for a workgroup that has not begun; nothing if all have.
  FaultLog not_begun(const EndlessLoop& loop) const;
  const FaultLog& findings() const { return result_.findings; }
  Patience* patience() const { return dynamic_cast<Patience*>(args_.settings.progress); }
  const Checks& checks() const { return args_.settings.checks; }
  std::uint64_t divergences() const { return divergences_; }
  const std::vector<Count>& counts() const { return counts_; }

  /// What the other subgroups wait for.
  std::vector<EndlessLoop::Waiting> waiting() const;
  /// Whether another subgroup of the workgroup could run instead of the running one.
  bool others_ready() const;
  BarrierArrival arrival(std::uint32_t subgroup) const override;
  /// The subgroup to run after `stopped`; null on the tangled machine, and once all have ended.
  Context* next(Context& stopped);

  // ---- For the tangled machine ----

  const DispatchArgs& args() const { return args_; }
  const Program& program() const { return program_; }
  const LaneMap& lanes() const { return map_; }
  const Size3& workgroup() const { return grid_.workgroup(); }
  std::uint64_t max_trips() const { return max_trips_; }
  SubgroupContexts& contexts() { return contexts_; }
  WorkgroupRun& turns() { return turns_; }
  ShaderRun& result() { return result_; }
  /// Goes to the next workgroup; false if there is none.
  bool step();
  void end_if_interrupted() const {
    if (interruptible_ != nullptr && interruptible_->interrupted()) throw Interrupted();
  }

 private:
  std::size_t alive() const;
  /// Prepares the subgroups of a workgroup; the first one runs first.
  void start_workgroup();
  /// Starts the next workgroup; null if there is none.
  Context* next_workgroup();
  Context* next_alone(Context& c);
  Context* next_of_all(Context& c);
  /// Runs all subgroups of all workgroups.
  void run_subgroups();

  const DispatchArgs& args_;
  const Program& program_;
  bool only_thread_;
  const InterruptibleProgress* interruptible_;
  std::uint64_t max_trips_;
  LaneMap map_;
  std::uint32_t subgroups_;
  Grid grid_;
  std::size_t left_ = 0;  ///< workgroups that have not ended
  ThreadMemory memory_;
  ShaderRun result_;
  std::uint64_t divergences_ = 0;
  std::vector<Count> counts_;
  SubgroupContexts contexts_;
  WorkgroupRun turns_;  ///< with barriers
  std::optional<TangledRun> tangled_;
};

/// The barrier at which a subgroup has stopped, identified by its instruction: a line may contain several.
inline BarrierId barrier_of(const Context& c) { return {{}, c.next - 1}; }

}  // namespace lockstep::spirv
