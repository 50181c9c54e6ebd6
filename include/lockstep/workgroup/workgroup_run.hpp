#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/config.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Which workgroup barrier: its place and, where a front end has one, its instruction.
struct BarrierId {
  SourceLocation where = {};
  const void* instruction = nullptr;

  friend bool operator==(const BarrierId& a, const BarrierId& b) {
    return a.instruction == b.instruction && a.where.line == b.where.line &&
           a.where.column == b.where.column &&
           (a.where.file == b.where.file || std::string_view(a.where.file) == b.where.file);
  }
};

/// Where a subgroup is while others wait at a barrier.
struct BarrierArrival {
  bool ended = false;      ///< it ran to its end
  BarrierId barrier = {};  ///< where it waits, if it has not ended
  LaneSet waiting = {};    ///< its lanes there
  LaneSet returned = {};   ///< its lanes that have returned from the kernel
  LaneSet elsewhere = {};  ///< its lanes in another branch or iteration
};

/// The turns of the subgroups of one workgroup: which one runs next, when a barrier opens, and when it
/// cannot. Every machine asks it. A front end resumes the subgroup that it names and reports why the
/// subgroup stopped.
///
/// Requires      Each report is about the running subgroup. Without a chooser subgroup 0 runs first.
/// Active lanes  A barrier is reached by a subgroup when all lanes that it started with are active there.
/// Errors        arrive, end, pause and meet throw Error once every subgroup that has not ended waits at a
///               barrier that not all invocations reached; with Lenient::barriers they open it and note so.
/// Cost          A few instructions a report while the subgroups stop one after another at one barrier.
/// Spec          SPIR-V OpControlBarrier with execution scope Workgroup · GLSL barrier
/// Example       tests/workgroup/workgroup_run.cpp
class WorkgroupRun {
 public:
  /// Describes the subgroups to errors and notes.
  class Subgroups {
   public:
    virtual ~Subgroups() = default;
    /// Where the lanes of a subgroup are.
    virtual BarrierArrival arrival(std::uint32_t subgroup) const = 0;
  };

  /// No subgroup: all have ended.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// The answer of a meeting or barrier to which not all came.
  static constexpr std::uint32_t not_all = ~std::uint32_t{0};

  WorkgroupRun(std::uint32_t subgroups, const Subgroups& describe, Lenient lenient = {})
      : count_(subgroups), describe_(describe), lenient_(lenient) {}

  /// The next workgroup: all of its subgroups are ready.
  void start(Size3 workgroup) {
    workgroup_ = workgroup;
    running_ = 0;
    step_ = Step::arriving;
  }
  /// The same; the chooser decides which subgroup runs first and next, if it is asked for subgroup_order or
  /// progress.
  void start(Size3 workgroup, Chooser* chooser);
  /// The subgroup whose turn it is.
  std::uint32_t running() const { return running_; }

  // Why the running subgroup stopped. Each gives the subgroup that runs next, or none.

  /// It waits at a barrier, with all of its lanes (whole) or some.
  LOCKSTEP_INLINE std::uint32_t arrive(const BarrierId& barrier, bool whole,
                                       std::uint32_t vote = 0) {
    if (step_ == Step::arriving && whole && vote == 0 && (running_ == 0 || barrier == barrier_))
        [[likely]] {
      if (running_ == 0) barrier_ = barrier;
      running_ = running_ + 1 == count_ ? 0 : running_ + 1;
      return running_;
    }
    return arrive_apart(barrier, whole, vote);
  }
  /// It ran to its end.
  LOCKSTEP_INLINE std::uint32_t end() {
    if (step_ == Step::ending || (step_ == Step::arriving && running_ == 0)) [[likely]] {
      step_ = Step::ending;
      running_ = running_ + 1 == count_ ? none : running_ + 1;
      return running_;
    }
    return end_apart();
  }
  /// It used up its slice of the run and could go on.
  std::uint32_t pause();
  /// It could go on, but lets another one run.
  std::uint32_t yield();
  /// Whether another subgroup could run.
  bool others_ready() const;
  /// It asks all subgroups for a vote at this place.
  std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote);

  /// What a subgroup that runs again after a meeting or barrier is told: the OR of all votes, or not_all.
  std::uint32_t answer(std::uint32_t subgroup) const { return runs_[subgroup].vote; }

  /// Where the other subgroups are while the running one spins in a loop.
  std::vector<EndlessLoop::Waiting> waiting() const;

  /// What was tolerated so far.
  const LenientNotes& notes() const { return notes_; }

 private:
  /// As long as the subgroups stop one after another for the same reason, all before the running one wait
  /// at `barrier_` (arriving) or have ended (ending), and all others are ready. Otherwise (apart) runs_ says
  /// where each is.
  enum class Step { arriving, ending, apart };
  enum class State { ready, meeting, at_barrier, ended };
  struct Run {
    State state = State::ready;
    bool whole = true;
    BarrierId barrier;
    std::uint64_t instance = 0;
    std::uint32_t vote = 0;  ///< given, and when it goes on, the answer
  };

  Run& part();
  Run run_of(std::uint32_t subgroup) const;
  std::uint32_t end_apart();
  std::uint32_t arrive_apart(const BarrierId& barrier, bool whole, std::uint32_t vote);
  std::uint32_t next();
  std::uint32_t next_chosen();
  std::vector<std::uint32_t> ready() const;
  void let_go_on();
  void open_barrier();
  void answer_all(State state, std::uint32_t votes);
  bool all_at(State state) const;
  bool any_at(State state) const;
  bool same_place() const;
  std::uint32_t all_votes() const;
  std::vector<BarrierArrival> arrivals() const;

  std::uint32_t count_;
  std::uint32_t running_ = 0;
  Chooser* chooser_ = nullptr;  ///< decides who runs next; null: one after another
  bool starves_ = false;        ///< a subgroup that spins is not interrupted
  Step step_ = Step::arriving;
  BarrierId barrier_;
  const Subgroups& describe_;
  Lenient lenient_;
  Size3 workgroup_;
  std::vector<Run> runs_;
  LenientNotes notes_;
};

/// Where the lanes of a subgroup are that has come to a barrier, on the tangled machines.
BarrierArrival arrival_of(const ReconvergenceStack& stack, const BarrierId& barrier);

namespace fail {

/// A barrier that not all invocations of the workgroup reach; `subgroups` are all of it in turn.
[[noreturn]] void partial_barrier(Size3 workgroup, const std::vector<BarrierArrival>& subgroups);

}  // namespace fail
}  // namespace lockstep
