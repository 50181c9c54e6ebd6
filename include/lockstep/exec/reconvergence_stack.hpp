#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/frames.hpp>

/// \file
/// The active lanes where reconvergence is not guaranteed: a set of tangles, and the enclosing
/// constructs on an explicit stack. The transitions are ordinary functions; C++ scopes
/// (exec/scopes.hpp) and any other front end call the same ones.

namespace lockstep {

/// The reconvergence that is promised at the end of a construct.
enum class Rule {
  /// Lanes that entered together always rejoin: VK_KHR_shader_maximal_reconvergence.
  maximal,
  /// They rejoin if the whole subgroup entered and no lane escapes:
  /// VK_KHR_shader_subgroup_uniform_control_flow.
  subgroup_uniform,
  /// They rejoin if the whole workgroup entered and no lane of it escapes: Vulkan without extensions.
  core,
};
/// maximal, subgroup-uniform or core: the spelling of command lines and reports.
std::string_view to_string(Rule rule);

/// Synchronises the subgroups of a workgroup for the rule `core`, which must know whether all took
/// the same branch and whether all reached the end of a construct.
class Meeting {
 public:
  virtual ~Meeting() = default;
  /// The OR of the votes of all subgroups at this place; all ones if some subgroup does not reach
  /// it.
  virtual std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) = 0;
};

/// The other subgroups of a workgroup, which run while one that could go on does not.
class OtherSubgroups {
 public:
  virtual ~OtherSubgroups() = default;
  /// Whether one of them could run.
  virtual bool others_ready() const = 0;
  /// Lets one of them run first.
  virtual void yield() = 0;
  /// The running subgroup's slice of the run is over: they run first.
  virtual void pause() = 0;
};

/// The rule of a run, and the chooser and observers that it uses.
struct Convergence {
  Rule rule = Rule::maximal;
  Chooser* chooser = nullptr;    ///< decides what the rule leaves open; null: rejoin_all
  Observer* observer = nullptr;  ///< receives each event; null: no events are created
  std::uint64_t max_trips =
      default_max_trips;                  ///< iterations of one loop before it counts as endless
  std::vector<Observer*> observers = {};  ///< receive each event after `observer`, in this order

  /// What all observers together ask for.
  Interest interest() const;
};

/// Whether the subgroups of a workgroup must meet. Where nothing is asked about rejoining, all sets that arrive rejoin,
/// and only observers can tell why.
bool needs_meetings(const Convergence& convergence);

/// The active lanes of one subgroup under any rule: disjoint tangles, and the enclosing constructs.
///
/// Requires      Transitions come in the order of structured control flow: each construct ends
///               before the one around it.
/// Active lanes  The union of all tangles. A lane that returned from the kernel is in no tangle and
///               on no frame.
/// Errors        Throws Error if a loop exceeds max_trips.
/// Cost          A frame per construct, in storage that is kept; an allocation for more than two tangles in one set.
/// Spec          SPIR-V 2.2.5, 2.11: tangle, structured control flow
/// Example       tests/exec/reconvergence_stack.cpp
struct ReconvergenceStack {
  ReconvergenceStack() = default;
  // Out of line, because each source with a kernel would compile them.
  ReconvergenceStack(const ReconvergenceStack&);
  ReconvergenceStack(ReconvergenceStack&&) noexcept;
  ReconvergenceStack& operator=(const ReconvergenceStack&);
  ReconvergenceStack& operator=(ReconvergenceStack&&) noexcept;
  ~ReconvergenceStack();
  /// A subgroup that starts with these lanes in one tangle.
  ReconvergenceStack(LaneSet lanes, const Convergence& convergence, Meeting* meeting = nullptr);
  /// The same, in the memory of this one.
  void restart(LaneSet lanes, const Convergence& convergence, Meeting* meeting);

  /// The lanes of all tangles.
  LaneSet active() const { return tangles.lanes(); }
  /// Passes the event to the observers that ask for its kind. Requires that there are any.
  void tell(const Event& event) const {
    if (only_observer == nullptr)
      tell_several(event);
    else if (asks(event.kind))
      only_observer->on(event);
  }
  /// Whether an observer asks for events of this kind. Others need not be made.
  bool asks(Event::Kind kind) const { return interest.kinds.has(kind); }
  /// Whether an observer that is told of such accesses is told their values.
  bool asks_values(AccessKind kind) const { return interest.values || kind == AccessKind::atomic; }

  LaneSet existing;  ///< all lanes the subgroup started with
  Tangles tangles;
  Frames frames;
  const Convergence* convergence = nullptr;
  Interest interest = Interest::none();  ///< of the observers
  Observer* only_observer = nullptr;     ///< null if there are none or several
  Meeting* meeting = nullptr;
  std::uint64_t meetings = 0;  ///< so far; equal in all subgroups that stay together
  std::uint64_t max_trips = default_max_trips;  ///< as Convergence's
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;

 private:
  void tell_several(const Event& event) const;
};

/// Starts a selection: lanes where the condition holds enter. Returns whether there are any.
bool enter(ReconvergenceStack& stack, LaneSet condition, SourceLocation where);
/// As enter, but the chooser may let the other side run first, if lanes enter both. Then `other` is not null in the
/// frame, and flip starts the first side. Returns whether it did.
bool enter_other_first(ReconvergenceStack& stack, LaneSet condition, SourceLocation where,
                       const void* other);
/// Starts the other side: the waiting lanes enter. Returns whether there are any.
bool flip(ReconvergenceStack& stack, SourceLocation where);
/// Ends it: the lanes of both sides meet.
void leave(ReconvergenceStack& stack, SourceLocation where);

/// Starts a loop.
void enter_loop(ReconvergenceStack& stack, SourceLocation where);
/// The loop's test: lanes where the condition fails leave. Returns whether any stay.
bool test_loop(ReconvergenceStack& stack, LaneSet condition, SourceLocation where);
/// The end of an iteration: the lanes that continued early meet the others.
void next_trip(ReconvergenceStack& stack, SourceLocation where);
/// The active lanes, which have entered code that ends in a break out of the innermost loop, do not run it now if the
/// chooser says so, but when the loop is over. `at` is where it begins. Returns where to keep their values, or null.
LateBreak* break_late(ReconvergenceStack& stack, SourceLocation where, const void* at);
/// Before the end of a loop: lanes that break late are active, in the code before their break. Gives what was kept of
/// them; nothing if there are none.
std::optional<LateBreak> resume_late_break(ReconvergenceStack& stack, SourceLocation where);
/// Ends the loop: the lanes that left it, in whatever iteration, meet.
void exit_loop(ReconvergenceStack& stack, SourceLocation where);

/// Starts a switch: all lanes wait for their case.
void enter_switch(ReconvergenceStack& stack, SourceLocation where);
/// Starts a case: waiting lanes that match join those that fall through from the case before.
/// `selector` holds the switch value of each lane. Returns whether any lane is in the case.
bool enter_case(ReconvergenceStack& stack, LaneSet matching, const std::int64_t* selector,
                SourceLocation where);
/// Ends it: lanes that fell through the last case, left the switch, or matched no case meet.
void leave_switch(ReconvergenceStack& stack, SourceLocation where);

/// Calls a function.
void call(ReconvergenceStack& stack, SourceLocation where);
/// Ends the call: the lanes that returned early meet the others.
void end_call(ReconvergenceStack& stack, SourceLocation where);

/// Break: the active lanes leave the innermost loop or switch.
void leave_loop(ReconvergenceStack& stack, SourceLocation where);
/// Break out of a loop from inside a switch: the active lanes leave the innermost loop.
void leave_loop_around(ReconvergenceStack& stack, SourceLocation where);
/// Continue: the active lanes leave this iteration of the innermost loop.
void leave_trip(ReconvergenceStack& stack, SourceLocation where);
/// Return: the active lanes leave the innermost function, or the kernel.
void retire(ReconvergenceStack& stack, SourceLocation where);
/// A workgroup barrier that all invocations passed: the rule decides whether the workgroup is together.
void pass_barrier(ReconvergenceStack& stack, bool whole_workgroup);

/// The constructs from the outermost in, one per line, with their lanes: for humans.
std::string to_string(const ReconvergenceStack& stack);

}  // namespace lockstep
