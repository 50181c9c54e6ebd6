#pragma once

#include <cstdint>
#include <memory>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Lets the subgroups of one workgroup take turns: each runs until it has to know what the others
/// do, or is done. Exactly one runs at a time, the lowest that can, so every run is the same.
///
/// Requires      One workgroup a Turns.
/// Active lanes  Knows nothing of lanes.
/// Errors        run rethrows what a subgroup throws first; Error for a barrier that not all reach.
/// Cost          A thread for each subgroup, and two switches of thread a turn.
/// Spec          SPIR-V: execution scope Workgroup
/// Example       tests/dispatch/turns.cpp
class Turns : public Meeting {
 public:
  /// The work to run. switch_in and switch_out are called around each turn, on its thread.
  class Work {
   public:
    virtual ~Work() = default;
    virtual void run(std::uint32_t subgroup) = 0;
    virtual void switch_in(std::uint32_t subgroup) = 0;
    virtual void switch_out(std::uint32_t subgroup) = 0;
  };

  Turns(std::uint32_t subgroups, Size3 workgroup);
  ~Turns() override;

  /// Runs all subgroups to their end.
  void run(Work& work);

  /// For the running subgroup: the OR of all subgroups' votes; all ones if some come elsewhere.
  std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) override;
  /// For the running subgroup: waits until all are at this barrier; gives the OR of their votes.
  std::uint32_t barrier(SourceLocation where, std::uint32_t vote);

 private:
  class Scheduler;
  std::unique_ptr<Scheduler> scheduler_;
};

}  // namespace lockstep
