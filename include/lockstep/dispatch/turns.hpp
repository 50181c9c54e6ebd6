#pragma once

#include <cstdint>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/workgroup/workgroup_run.hpp>

namespace lockstep {

/// Runs subgroups that cannot be suspended otherwise on stacks of their own, in turns, as a WorkgroupRun decides:
/// each runs until it ends or depends on the others. Runs are deterministic.
///
/// Requires      One Turns per workgroup.
/// Active lanes  As WorkgroupRun.
/// Errors        run rethrows what a subgroup throws first, and what WorkgroupRun throws.
/// Cost          A stack for each subgroup that is under way, and a switch of stacks per turn.
/// Spec          SPIR-V: execution scope Workgroup
/// Example       tests/dispatch/turns.cpp
class Turns : public Meeting, public OtherSubgroups {
 public:
  /// The work to run, on the thread of its caller. switch_in and switch_out are called around each turn.
  class Work {
   public:
    virtual ~Work() = default;
    virtual void run(std::uint32_t subgroup) = 0;
    /// Called before each turn of a subgroup.
    virtual void switch_in(std::uint32_t subgroup) = 0;
    /// Called after each turn of a subgroup.
    virtual void switch_out(std::uint32_t subgroup) = 0;
  };

  /// The chooser decides as WorkgroupRun's.
  Turns(std::uint32_t subgroups, Size3 workgroup, Lenient lenient = {}, Chooser* chooser = nullptr);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns() override;

  /// Runs all subgroups to their end.
  void run(Work& work);

  /// For the running subgroup: the OR of all subgroups' votes; all ones if some meet elsewhere.
  std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) override;
  /// For the running subgroup: waits until the barrier opens; returns the OR of all subgroups' votes, or all
  /// ones if not all reached it.
  std::uint32_t barrier(const BarrierArrival& arrival, std::uint32_t vote);
  /// The same for a subgroup with a stack, which learns whether the workgroup is together.
  void pass_barrier(ReconvergenceStack& stack, const BarrierId& barrier);
  /// For the running subgroup: its slice of the run is over, others run first.
  void pause() override;
  /// For the running subgroup: lets another one run.
  void yield() override;
  /// Whether another subgroup could run.
  bool others_ready() const override;
  /// What was tolerated.
  const LenientNotes& notes() const;

 private:
  class Scheduler;
  Scheduler* const scheduler_;  // owned; <memory> is too expensive for a header
};

}  // namespace lockstep
