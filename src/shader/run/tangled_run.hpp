#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/dispatch/turns.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

#include "shader/run/repeated_meeting.hpp"
#include "shader/run/run.hpp"

namespace lockstep::spirv {

class Runner;

/// The tangled machine: runs the workgroups of a runner's thread on reconvergence stacks.
class TangledRun {
 public:
  explicit TangledRun(Runner& runner) : runner_(runner) {}

  /// Runs all workgroups.
  void run();
  /// Whether another subgroup of the workgroup could run instead of the running one.
  bool others_ready() const;
  /// What the subgroups wait for that are not running; nothing where each has a stack of its own.
  std::vector<EndlessLoop::Waiting> waiting() const;

 private:
  class Meetings;

  /// `meeting_of` gives each subgroup's meeting, or null.
  template <class MeetingOf>
  void start(MeetingOf meeting_of);
  Chooser* chooser() const;
  bool pauses() const;
  /// Runs the subgroup until it stops.
  void run_on(Context& c) const;
  Context::Stop go_on(Context& c, Turns& turns) const;

  void run_in_turns(bool meet);
  std::uint32_t run_turn(Context& c, bool meet);
  void begin_turn(Context& c, RepeatedMeeting& meeting);
  std::uint32_t end_turn(Context& c);

  Runner& runner_;
  Turns* meeting_ = nullptr;  ///< where subgroups meet, each on a stack of its own
  std::vector<ReconvergenceStack> stacks_;
  std::vector<RepeatedMeeting> repeated_;  ///< where subgroups meet, too, but on one stack
};

}  // namespace lockstep::spirv
