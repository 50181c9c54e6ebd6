#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/event.hpp>

/// \file
/// Who is active when lanes need not rejoin: a set of tangles, and the constructs around them on an
/// explicit stack. The transitions are ordinary functions; C++ scopes (exec/scopes.hpp) and any
/// other front end call the same ones.

namespace lockstep {

/// What is promised about rejoining at the end of a construct.
enum class Rule {
  /// Lanes that entered together rejoin, always: VK_KHR_shader_maximal_reconvergence.
  maximal,
  /// If the whole subgroup entered and no lane escapes:
  /// VK_KHR_shader_subgroup_uniform_control_flow.
  subgroup_uniform,
  /// If the whole workgroup entered and no lane of it escapes: Vulkan without extensions.
  core,
};
/// maximal, subgroup-uniform or core: as command lines and reports spell it.
std::string_view to_string(Rule rule);

/// Where the subgroups of a workgroup compare notes, which the rule `core` needs: whether all went
/// the same way, and whether all got to the end of a construct.
class Meeting {
 public:
  virtual ~Meeting() = default;
  /// The OR of the votes that all subgroups give at this place; all ones when they do not all come
  /// to it.
  virtual std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) = 0;
};

/// What a run obeys, and who is told about it.
struct Convergence {
  Rule rule = Rule::maximal;
  Chooser* chooser = nullptr;          ///< answers what the rule leaves open; none: rejoin_all
  Observer* observer = nullptr;        ///< is told each event; none: no events are made
  std::uint64_t max_trips = 1u << 20;  ///< of one loop, before it counts as endless
};

/// One construct that lanes are in.
struct Frame {
  enum class Kind { selection, loop, switch_statement, call };

  Kind kind;
  SourceLocation where;
  Tangles header;           ///< who entered
  bool promised = false;    ///< all rejoin at the end unless one escapes
  Tangles waiting;          ///< selection: for the other side; switch: for their case
  Tangles arrived;          ///< at the end of the construct
  Tangles continuing;       ///< loop: at the end of this trip
  std::uint64_t trips = 0;  ///< loop: how often its test let lanes in
};

/// Who is active in one subgroup under any rule: disjoint tangles, and the constructs around them.
///
/// Requires      Transitions come in the order of structured control flow: each construct ends
///               before the one around it.
/// Active lanes  The lanes of all tangles together. A lane that returned from the kernel is in none
///               and on no frame.
/// Errors        Throws Error when a loop takes more than max_trips.
/// Cost          A few small allocations a construct: it is for looking, not for speed.
/// Spec          SPIR-V 2.2.5, 2.11: tangle, structured control flow
/// Example       tests/exec/reconvergence_stack.cpp
struct ReconvergenceStack {
  ReconvergenceStack() = default;
  /// A subgroup that starts with these lanes, together.
  ReconvergenceStack(LaneSet lanes, const Convergence& convergence, Meeting* meeting = nullptr);

  /// The lanes of all tangles.
  LaneSet active() const;
  /// Tells the observer, if there is one.
  void tell(Event event) const;
  bool observed() const { return convergence != nullptr && convergence->observer != nullptr; }

  LaneSet existing;  ///< all lanes the subgroup started with
  Tangles tangles;
  std::vector<Frame> frames;
  const Convergence* convergence = nullptr;
  Meeting* meeting = nullptr;
  std::uint64_t meetings = 0;  ///< so far: the same number in all subgroups that stay together
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;
};

/// A selection starts: lanes where the condition holds go on. Returns whether there are any.
bool enter(ReconvergenceStack& stack, LaneSet condition, SourceLocation where);
/// Its other side starts: those that waited go on. Returns whether there are any.
bool flip(ReconvergenceStack& stack, SourceLocation where);
/// It ends: those of both sides meet.
void leave(ReconvergenceStack& stack, SourceLocation where);

/// A loop starts.
void enter_loop(ReconvergenceStack& stack, SourceLocation where);
/// Its test: lanes where the condition fails leave it. Returns whether any stay.
bool test_loop(ReconvergenceStack& stack, LaneSet condition, SourceLocation where);
/// The end of a trip: those that continued early meet the others.
void next_trip(ReconvergenceStack& stack, SourceLocation where);
/// It ends: those that left it, in whatever trip, meet.
void exit_loop(ReconvergenceStack& stack, SourceLocation where);

/// A switch starts: all lanes wait for their case.
void enter_switch(ReconvergenceStack& stack, SourceLocation where);
/// A case starts: lanes that wait and match come in, beside those that fall through from the case
/// before. `selector` holds each lane's value of the switch. Returns whether any lane is here.
bool enter_case(ReconvergenceStack& stack, LaneSet matching, const std::int64_t* selector,
                SourceLocation where);
/// It ends: those that fell through its last case, left it, or matched no case meet.
void leave_switch(ReconvergenceStack& stack, SourceLocation where);

/// A function is called.
void call(ReconvergenceStack& stack, SourceLocation where);
/// It is over: those that returned early meet the others.
void end_call(ReconvergenceStack& stack, SourceLocation where);

/// Break: the active lanes leave the innermost loop or switch.
void leave_loop(ReconvergenceStack& stack, SourceLocation where);
/// Break out of a loop from inside a switch: the active lanes leave the innermost loop.
void leave_loop_around(ReconvergenceStack& stack, SourceLocation where);
/// Continue: the active lanes leave this trip of the innermost loop.
void leave_trip(ReconvergenceStack& stack, SourceLocation where);
/// Return: the active lanes leave the innermost function, or the kernel.
void retire(ReconvergenceStack& stack, SourceLocation where);
/// A workgroup barrier that all invocations passed: the workgroup is together if the rule says so.
void pass_barrier(ReconvergenceStack& stack, bool whole_workgroup);

/// The constructs from the outermost in, one line each, and who is where: for humans.
std::string to_string(const ReconvergenceStack& stack);

}  // namespace lockstep
