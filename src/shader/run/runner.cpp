#include "shader/run/runner.hpp"

#include <utility>

#include <lockstep/dispatch/error.hpp>

#include "shader/run/ops/find.hpp"
#include "shader/run/settings_of_run.hpp"
#include "shader/run/spin_watch.hpp"

namespace lockstep::spirv {
namespace {

std::uint64_t max_trips_of(const DispatchSettings& settings) {
  const bool has_rule = settings.convergence != nullptr;
  return trip_limit(has_rule ? settings.convergence->max_trips : default_max_trips,
                    settings.max_steps);
}

/// The lanes that have returned from the entry point. Lanes that returned from a function wait for the end of its
/// call; the barrier's instruction holds the outermost call around it.
Mask<128> returned(const Context& c, const Inst& barrier) {
  return barrier.imm == 0 ? c.state.returned : c.frames[barrier.imm - 1].returned;
}

}  // namespace

Runner::Runner(const DispatchArgs& args, bool only_thread)
    : args_(args),
      program_(*args.program),
      only_thread_(only_thread),
      interruptible_(dynamic_cast<const InterruptibleProgress*>(args.settings.progress)),
      max_trips_(max_trips_of(args.settings)),
      map_(args),
      subgroups_(map_.subgroups()),
      grid_(args),
      memory_(args, only_thread),
      counts_(program_.counters.size()),
      contexts_(args, map_,
                {.limits = memory_.limits(),
                 .memory = &memory_.resources(),
                 .max_trips = max_trips_,
                 .only_thread = only_thread,
                 .run = &result_,
                 .divergences = &divergences_,
                 .counts = counts_.data(),
                 .runner = this},
                alive()),
      turns_(subgroups_, *this, args.settings.lenient) {
  if (program_.tangled) tangled_.emplace(*this);
}

/// How many subgroups exist at once.
std::size_t Runner::alive() const {
  return program_.has_barriers || program_.tangled ? subgroups_ : 1;
}

ShaderRun Runner::run(std::size_t begin, std::size_t end) {
  grid_.start_at(begin);
  left_ = end - begin;
  memory_.clear();
  if (tangled_)
    tangled_->run();
  else
    run_subgroups();
  result_.findings.note(turns_.notes());
  return std::move(result_);
}

FaultLog Runner::not_begun(const EndlessLoop& loop) const {
  const std::uint64_t later = grid_.later();
  // Those after it may have begun on other threads.
  if (later == 0 || !only_thread_) return {};
  return lockstep::not_begun(loop, later, grid_.following());
}

std::vector<EndlessLoop::Waiting> Runner::waiting() const {
  if (tangled_) return tangled_->waiting();
  return program_.has_barriers ? turns_.waiting()
                               : later_subgroups(contexts_[0].subgroup, subgroups_);
}

bool Runner::others_ready() const {
  return tangled_ ? tangled_->others_ready() : turns_.others_ready();
}

BarrierArrival Runner::arrival(std::uint32_t subgroup) const {
  const Context& c = contexts_[subgroup];
  BarrierId barrier = barrier_of(c);
  barrier.where = where(c, c.next - 1);
  if (program_.on_stack()) return arrival_of(*c.stack, barrier);
  BarrierArrival arrival;
  arrival.barrier = barrier;
  arrival.waiting = to_lane_set(c.state.active);
  const Mask<128> missing = map_.lanes_of(subgroup).without(c.state.active);
  arrival.returned = to_lane_set(missing & returned(c, *(c.next - 1)));
  arrival.elsewhere = to_lane_set(missing).without(arrival.returned);
  return arrival;
}

void Runner::run_subgroups() {
  start_workgroup();
  Context* c = &contexts_[0];
  if (program_.native != nullptr) return program_.native->run(*c);
  for (; c != nullptr; c = next(*c)) {
    for (const Inst* i = c->next; i != nullptr;) i = i->run(i, *c);
  }
}

void Runner::start_workgroup() {
  if (!program_.has_barriers) return contexts_.start(0, grid_.workgroup(), 0);
  for (std::uint32_t s = 0; s < subgroups_; ++s) contexts_.start(s, grid_.workgroup(), s);
  turns_.start(grid_.workgroup());
}

bool Runner::step() {
  if (--left_ == 0) return false;
  grid_.step();
  memory_.clear();
  return true;
}

Context* Runner::next_workgroup() {
  if (!step()) return nullptr;
  start_workgroup();
  return &contexts_[0];
}

Context* Runner::next(Context& stopped) {
  if (program_.tangled) return nullptr;
  if (stopped.stop == Context::Stop::slice) tell_spin(stopped);
  return program_.has_barriers ? next_of_all(stopped) : next_alone(stopped);
}

/// Without barriers, subgroups run one after another in the same registers.
Context* Runner::next_alone(Context& c) {
  if (c.stop == Context::Stop::slice) {
    end_if_interrupted();
    return &c;
  }
  result_.steps += c.steps + std::exchange(c.ended_steps, 0);
  if (c.subgroup + 1 == subgroups_) return next_workgroup();
  contexts_.start(0, grid_.workgroup(), c.subgroup + 1);
  return &c;
}

/// With barriers, subgroups take turns of one slice each, so that one that waits in a loop for another makes progress.
Context* Runner::next_of_all(Context& c) {
  std::uint32_t next = WorkgroupRun::none;
  switch (c.stop) {
    case Context::Stop::barrier:
      next = turns_.arrive(barrier_of(c), c.state.active == map_.lanes_of(c.subgroup));
      break;
    case Context::Stop::slice:
      end_if_interrupted();
      [[fallthrough]];
    case Context::Stop::yield:
      next = turns_.pause();
      break;
    case Context::Stop::ended:
      result_.steps += c.steps;
      next = turns_.end();
  }
  return next == WorkgroupRun::none ? next_workgroup() : &contexts_[next];
}

// ---- What instructions ask the runner ----

bool others_ready(const Context& c) { return static_cast<const Runner*>(c.runner)->others_ready(); }

Context* advance(Context& stopped) { return static_cast<Runner*>(stopped.runner)->next(stopped); }

bool goes_on(const Context& c) {
  Patience* const patience = static_cast<const Runner*>(c.runner)->patience();
  return patience != nullptr && patience->goes_on(c.workgroup);
}

bool tells_discarded(const Context& c) {
  return static_cast<const Runner*>(c.runner)->checks().has(Check::out_of_bounds);
}

void fail_endless(const Context& c, const Inst* i) {
  EndlessLoop::Lanes lanes;
  lanes.spinning = to_lane_set(c.state.active);
  // In a loop of all lanes these are the lanes that left the one around it.
  if (i->a != back_of_all) lanes.left = to_lane_set(c.state.broken);
  lanes.elsewhere = c.existing.without(lanes.spinning | lanes.left);
  const EndlessLoop::Subgroup subgroup{{c.workgroup.x, c.workgroup.y, c.workgroup.z}, c.subgroup};
  fail::endless_loop(where(c, i), lanes, c.max_trips, &subgroup,
                     static_cast<const Runner*>(c.runner)->waiting());
}

}  // namespace lockstep::spirv
