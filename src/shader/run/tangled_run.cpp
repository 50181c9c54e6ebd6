#include "shader/run/tangled_run.hpp"

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>

#include "runtime/dispatch/fiber.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/runner.hpp"
#include "shader/run/spin_watch.hpp"

namespace lockstep::spirv {
namespace {

// A subgroup's vote at a barrier: whether all of its lanes are there together.
constexpr std::uint32_t together = 1, apart = 2;

/// Runs the subgroup until it stops, or up to a transition that asks for votes that are not there yet: that one has not run,
/// and the question is returned.
std::optional<RepeatedMeeting::Unanswered> run_to_meeting(Context& c) {
  const Inst* at = nullptr;
  std::uint64_t meetings = 0;
  try {
    for (const Inst* i = c.next; i != nullptr;) {
      at = i;
      meetings = c.stack->meetings;
      i = i->run(i, c);
    }
  } catch (const RepeatedMeeting::Unanswered& question) {
    c.next = at;
    c.stack->meetings = meetings;
    return question;
  }
  return std::nullopt;
}

/// Tells observers of the barrier at which the subgroup has stopped.
void tell_barrier(Context& c) {
  tell_sync(*c.stack, where(c, c.next - 1), op_of(c, c.next - 1).as<BarrierOp>().sync);
}

}  // namespace

/// Subgroups that vote in the middle of an instruction, where the rule depends on the whole workgroup. Each runs on a
/// stack of its own, one at a time: a turn ends where the rule or a barrier requires it.
class TangledRun::Meetings : public Turns::Work {
 public:
  explicit Meetings(TangledRun& run)
      : run_(run),
        turns_(run.runner_.lanes().subgroups(), run.runner_.workgroup(),
               run.runner_.args().settings.lenient, run.chooser()) {
    run.meeting_ = &turns_;
    run.start([this](std::uint32_t) { return &turns_; });
  }
  void run() {
    turns_.run(*this);
    run_.runner_.result().findings.note(turns_.notes());
  }

  void run(std::uint32_t s) override {
    Context& c = run_.runner_.contexts()[s];
    tell(*c.stack, Event::Kind::start, {});
    while (run_.go_on(c, turns_) == Context::Stop::barrier) {
      tell_barrier(c);
      turns_.pass_barrier(*c.stack, {where(c, c.next - 1), c.next - 1});
    }
    tell(*c.stack, Event::Kind::end, {});
    run_.runner_.result().steps += c.steps;
  }
  void switch_in(std::uint32_t) override {}
  void switch_out(std::uint32_t) override {}

 private:
  TangledRun& run_;
  Turns turns_;
};

void TangledRun::run() {
  const DispatchArgs& args = runner_.args();
  const bool meet = needs_meetings(*args.settings.convergence) && runner_.lanes().subgroups() > 1;
  do {
    if (meet && Fiber::supported())
      Meetings(*this).run();
    else
      run_in_turns(meet);
  } while (runner_.step());
}

bool TangledRun::others_ready() const {
  return meeting_ != nullptr ? meeting_->others_ready() : runner_.turns().others_ready();
}

std::vector<EndlessLoop::Waiting> TangledRun::waiting() const {
  // Those that meet on stacks of their own are not told.
  return meeting_ != nullptr ? std::vector<EndlessLoop::Waiting>() : runner_.turns().waiting();
}

template <class MeetingOf>
void TangledRun::start(MeetingOf meeting_of) {
  const Size3& workgroup = runner_.workgroup();
  stacks_.resize(runner_.lanes().subgroups());
  for (std::uint32_t s = 0; s < stacks_.size(); ++s) {
    runner_.contexts().start(s, workgroup, s);
    ReconvergenceStack& stack = stacks_[s];
    stack.restart(to_lane_set(runner_.lanes().lanes_of(s)), *runner_.args().settings.convergence,
                  meeting_of(s));
    stack.workgroup = {workgroup.x, workgroup.y, workgroup.z};
    stack.subgroup = s;
    stack.max_trips = runner_.max_trips();
    runner_.contexts()[s].stack = &stack;
  }
}

Chooser* TangledRun::chooser() const { return runner_.args().settings.convergence->chooser; }

/// Whether others run while a subgroup spins in a loop.
bool TangledRun::pauses() const {
  return runner_.program().has_barriers ||
         (chooser() != nullptr && chooser()->asks(Choice::subgroup_order));
}

void TangledRun::run_on(Context& c) const {
  if (const Program& program = runner_.program(); program.native != nullptr)
    return program.native->run(c);
  for (const Inst* i = c.next; i != nullptr;) i = i->run(i, c);
}

/// Runs the subgroup to a barrier or its end. In a kernel with barriers, in turns with the others, which may wait for
/// it in a loop.
Context::Stop TangledRun::go_on(Context& c, Turns& turns) const {
  for (;;) {
    run_on(c);
    switch (c.stop) {
      case Context::Stop::slice:
        tell_spin(c);
        runner_.end_if_interrupted();
        if (pauses()) turns.pause();
        break;
      case Context::Stop::yield:
        turns.yield();
        break;
      default:
        return c.stop;
    }
  }
}

/// All subgroups on this stack: they depend on each other at barriers or, if they meet, also repeat what asked for votes.
void TangledRun::run_in_turns(bool meet) {
  meeting_ = nullptr;
  repeated_.assign(runner_.lanes().subgroups(), {});
  start([&](std::uint32_t s) { return meet ? &repeated_[s] : nullptr; });
  WorkgroupRun& turns = runner_.turns();
  turns.start(runner_.workgroup(), chooser());
  for (std::uint32_t s = turns.running(); s != WorkgroupRun::none;)
    s = run_turn(runner_.contexts()[s], meet);
}

/// Runs the subgroup until it stops; returns the one that runs next.
std::uint32_t TangledRun::run_turn(Context& c, bool meet) {
  RepeatedMeeting& meeting = repeated_[c.subgroup];
  begin_turn(c, meeting);
  try {
    if (!meet) {
      run_on(c);
    } else if (const auto question = run_to_meeting(c)) {
      meeting.wait();
      return runner_.turns().meet(question->where, question->instance, question->vote);
    }
  } catch (const EndlessLoop& loop) {
    fail::endless_loop(loop, runner_.turns().waiting());
  }
  return end_turn(c);
}

/// What has happened since the subgroup stopped, or that it begins.
void TangledRun::begin_turn(Context& c, RepeatedMeeting& meeting) {
  const Program& program = runner_.program();
  const bool begins = c.next == program.insts.data() + program.first && !meeting.waits();
  if (begins) tell(*c.stack, Event::Kind::start, {});
  if (meeting.waits())
    meeting.answer(runner_.turns().answer(c.subgroup));
  else if (!begins && c.stop == Context::Stop::barrier)
    pass_barrier(*c.stack, runner_.turns().answer(c.subgroup) == together);
}

/// Reports why the subgroup has stopped; returns the one that runs next.
std::uint32_t TangledRun::end_turn(Context& c) {
  ReconvergenceStack& stack = *c.stack;
  WorkgroupRun& turns = runner_.turns();
  switch (c.stop) {
    case Context::Stop::barrier: {
      show_tangle(c);
      tell_barrier(c);
      const bool mine = stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing;
      return turns.arrive(barrier_of(c), mine, mine ? together : apart);
    }
    case Context::Stop::slice:
      tell_spin(c);
      runner_.end_if_interrupted();
      return pauses() ? turns.pause() : c.subgroup;
    case Context::Stop::yield:
      return turns.yield();
    case Context::Stop::ended:
      break;
  }
  tell(stack, Event::Kind::end, {});
  runner_.result().steps += c.steps;
  return turns.end();
}

}  // namespace lockstep::spirv
