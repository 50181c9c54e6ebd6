#include <lockstep/workgroup/workgroup_run.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/finding_error.hpp>

namespace lockstep {
namespace {

std::string place(SourceLocation where) { return fmt::format("{}:{}", where.file, where.line); }

using Numbers = std::vector<std::uint32_t>;

std::string text_of(const Numbers& subgroups) {
  return fmt::format("{}", fmt::join(subgroups, ", "));
}

/// "subgroup 1 waits", "subgroups 0, 2 wait".
std::string clause(const Numbers& subgroups, std::string_view one, std::string_view several) {
  return subgroups.size() == 1 ? fmt::format("subgroup {}{}", subgroups.front(), one)
                               : fmt::format("subgroups {}{}", text_of(subgroups), several);
}
/// "lane 1 waits", "lanes 0,2 wait".
std::string clause(LaneSet lanes, std::string_view one, std::string_view several) {
  return lanes.count() == 1 ? fmt::format("lane {}{}", to_string(lanes), one)
                            : fmt::format("lanes {}{}", to_string(lanes), several);
}

/// The lanes of one subgroup that keep it from the barrier.
std::string lanes_text(std::uint32_t subgroup, const BarrierArrival& arrival) {
  std::string text =
      fmt::format("of subgroup {} {}", subgroup, clause(arrival.waiting, " waits", " wait"));
  if (arrival.returned.any_lane())
    text += ", " + clause(arrival.returned, " has returned", " have returned");
  if (arrival.elsewhere.any_lane())
    text += ", " + clause(arrival.elsewhere, " is in another branch or trip",
                          " are in another branch or trip");
  return text;
}

/// Which barrier, and what keeps the workgroup from it.
Finding finding_of(Size3 workgroup, const std::vector<BarrierArrival>& subgroups) {
  Numbers ended, not_whole;
  std::vector<std::pair<BarrierId, Numbers>> barriers;
  for (std::uint32_t s = 0; s < subgroups.size(); ++s) {
    const BarrierArrival& arrival = subgroups[s];
    if (arrival.ended) {
      ended.push_back(s);
      continue;
    }
    const auto same =
        std::ranges::find_if(barriers, [&](const auto& b) { return b.first == arrival.barrier; });
    if (same == barriers.end())
      barriers.push_back({arrival.barrier, {s}});
    else
      same->second.push_back(s);
    if (arrival.returned.any_lane() || arrival.elsewhere.any_lane()) not_whole.push_back(s);
  }

  std::vector<std::string> clauses;
  for (std::size_t k = 1; k < barriers.size(); ++k) {
    clauses.push_back(fmt::format("{} at another one, {}",
                                  clause(barriers[k].second, " waits", " wait"),
                                  place(barriers[k].first.where)));
  }
  if (!ended.empty()) {
    clauses.push_back(fmt::format("{} for {}", clause(barriers[0].second, " waits", " wait"),
                                  clause(ended, ", which has ended", ", which have ended")));
  }
  constexpr std::size_t most = 4;
  for (std::size_t k = 0; k < std::min(most, not_whole.size()); ++k)
    clauses.push_back(lanes_text(not_whole[k], subgroups[not_whole[k]]));
  if (not_whole.size() > most)
    clauses.push_back(fmt::format("and so in {} more subgroups", not_whole.size() - most));

  Finding finding = lockstep::finding_of(barriers.size() > 1 ? Check::barrier_mismatch
                                                             : Check::barrier_divergence);
  finding.message = fmt::format("barrier() is not reached by all of workgroup ({}, {}, {}): {}",
                                workgroup.x, workgroup.y, workgroup.z, fmt::join(clauses, "; "));
  finding.where = barriers[0].first.where;
  finding.workgroup = workgroup;
  finding.subgroup = barriers[0].second.front();
  finding.lanes = subgroups[finding.subgroup].waiting;
  finding.count = static_cast<std::uint64_t>(finding.lanes.count());
  if (barriers.size() > 1) {
    const std::uint32_t other = barriers[1].second.front();
    finding.other = {barriers[1].first.where, "others wait here", workgroup, other,
                     subgroups[other].waiting};
  }
  return finding;
}

std::uint32_t chosen_of(Chooser& chooser, Choice choice, const Numbers& subgroups) {
  const auto count = static_cast<std::uint32_t>(subgroups.size());
  return subgroups[count == 1 ? 0 : chooser.choose(count, {}, choice)];
}

}  // namespace

void fail::partial_barrier(Size3 workgroup, const std::vector<BarrierArrival>& subgroups) {
  Finding finding = finding_of(workgroup, subgroups);
  finding.message += "; put the barrier where all invocations pass it";
  throw FindingError(std::move(finding));
}

BarrierArrival arrival_of(const ReconvergenceStack& stack, const BarrierId& barrier) {
  BarrierArrival arrival;
  arrival.barrier = barrier;
  arrival.waiting = stack.active();
  LaneSet elsewhere;
  for (const Frame& frame : stack.frames) {
    for (const Tangles* tangles : {&frame.waiting, &frame.arrived, &frame.continuing}) {
      for (const Tangle& tangle : *tangles) elsewhere = elsewhere | tangle.lanes;
    }
  }
  // Lanes on no frame have returned.
  const LaneSet missing = stack.existing.without(arrival.waiting);
  arrival.returned = missing.without(elsewhere);
  arrival.elsewhere = missing & elsewhere;
  return arrival;
}

/// Where a subgroup is, in any step.
WorkgroupRun::Run WorkgroupRun::run_of(std::uint32_t subgroup) const {
  if (step_ == Step::apart) return runs_[subgroup];
  Run run;
  if (subgroup < running_) {
    run.state = step_ == Step::ending ? State::ended : State::at_barrier;
    run.barrier = barrier_;
  }
  return run;
}

/// The running subgroup, once each is on its own.
WorkgroupRun::Run& WorkgroupRun::part() {
  if (step_ != Step::apart) {
    runs_.resize(count_);
    for (std::uint32_t s = 0; s < count_; ++s) runs_[s] = run_of(s);
    step_ = Step::apart;
  }
  return runs_[running_];
}

std::vector<EndlessLoop::Waiting> WorkgroupRun::waiting() const {
  using Reason = EndlessLoop::Waiting::Reason;
  std::vector<EndlessLoop::Waiting> all;
  for (std::uint32_t s = 0; s < count_; ++s) {
    if (s == running_) continue;
    const Run run = run_of(s);
    switch (run.state) {
      case State::ready:
        all.push_back({s, Reason::turn});
        break;
      case State::meeting:
        all.push_back({s, Reason::construct, run.barrier.where});
        break;
      case State::at_barrier:
        all.push_back({s, Reason::barrier, describe_.arrival(s).barrier.where});
        break;
      case State::ended:
        break;
    }
  }
  return all;
}

std::uint32_t WorkgroupRun::arrive_apart(const BarrierId& barrier, bool whole, std::uint32_t vote) {
  Run& run = part();
  run.state = State::at_barrier;
  run.barrier = barrier;
  run.instance = 0;
  run.whole = whole;
  run.vote = vote;
  return next();
}

std::uint32_t WorkgroupRun::end_apart() {
  part().state = State::ended;
  return next();
}

/// In rounds, also where a chooser decides who runs next: otherwise it could keep one waiting forever.
std::uint32_t WorkgroupRun::pause() {
  if (starves_) return running_;
  part();
  return chooser_ == nullptr ? next() : running_ = ready().front();
}

std::uint32_t WorkgroupRun::yield() {
  part();
  if (chooser_ == nullptr) return next();
  std::vector<std::uint32_t> others = ready();
  if (others.size() > 1) others.pop_back();  // itself
  return running_ = chosen_of(*chooser_, Choice::subgroup_order, others);
}

bool WorkgroupRun::others_ready() const {
  for (std::uint32_t s = 0; s < count_; ++s) {
    if (s != running_ && run_of(s).state == State::ready) return true;
  }
  return false;
}

void WorkgroupRun::start(Size3 workgroup, Chooser* chooser) {
  start(workgroup);
  chooser_ = nullptr;
  starves_ = false;
  if (chooser == nullptr || count_ == 1) return;
  starves_ = chooser->choose_for_place(2, {}, Choice::progress) != 0;
  if (!starves_ && !chooser->asks(Choice::subgroup_order)) return;
  chooser_ = chooser;
  step_ = Step::apart;
  runs_.assign(count_, Run{});
  running_ = count_ - 1;  // the first one follows
  running_ = next_chosen();
}

std::uint32_t WorkgroupRun::meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) {
  Run& run = part();
  run.state = State::meeting;
  run.barrier = {where};
  run.instance = instance;
  run.vote = vote;
  return next();
}

/// The subgroups take turns, in rounds, so that those that wait for one another in loops make progress.
std::uint32_t WorkgroupRun::next() {
  if (chooser_ != nullptr) return next_chosen();
  for (;;) {
    while (++running_ < count_) {
      if (runs_[running_].state == State::ready) return running_;
    }
    if (all_at(State::ended)) return none;
    if (!any_at(State::ready)) let_go_on();
    running_ = none;  // before the first
  }
}

/// The subgroups that can run, in rounds from the one after the running one.
std::vector<std::uint32_t> WorkgroupRun::ready() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 1; k <= count_; ++k) {
    const std::uint32_t s = (running_ + k) % count_;
    if (runs_[s].state == State::ready) all.push_back(s);
  }
  return all;
}

std::uint32_t WorkgroupRun::next_chosen() {
  if (all_at(State::ended)) return none;
  if (!any_at(State::ready)) let_go_on();
  const Choice choice = starves_ ? Choice::progress : Choice::subgroup_order;
  return running_ = chosen_of(*chooser_, choice, ready());
}

/// No subgroup can run: answers those that wait for one another.
void WorkgroupRun::let_go_on() {
  if (any_at(State::meeting))
    answer_all(State::meeting, all_at(State::meeting) && same_place() ? all_votes() : not_all);
  else
    open_barrier();
}

/// Every subgroup that has not ended waits at a barrier.
void WorkgroupRun::open_barrier() {
  const bool whole = std::ranges::all_of(runs_, &Run::whole);
  if (whole && all_at(State::at_barrier) && same_place()) {
    const std::uint32_t votes = all_votes();
    if (votes == 0 && chooser_ == nullptr)
      step_ = Step::arriving;  // all are ready, and there is no answer to keep
    return answer_all(State::at_barrier, votes);
  }
  if (!lenient_.barriers) fail::partial_barrier(workgroup_, arrivals());
  if (notes_.count++ == 0) {
    const Finding finding = finding_of(workgroup_, arrivals());
    notes_.first =
        fmt::format("{}: {}; they are counted as arrived", place(finding.where), finding.message);
    notes_.workgroup = workgroup_;
  }
  answer_all(State::at_barrier, not_all);
}

void WorkgroupRun::answer_all(State state, std::uint32_t votes) {
  for (Run& r : runs_) {
    if (r.state != state) continue;
    r.vote = votes;
    r.state = State::ready;
    r.whole = true;
  }
}

bool WorkgroupRun::all_at(State state) const {
  return std::ranges::all_of(runs_, [=](const Run& r) { return r.state == state; });
}
bool WorkgroupRun::any_at(State state) const {
  return std::ranges::any_of(runs_, [=](const Run& r) { return r.state == state; });
}
bool WorkgroupRun::same_place() const {
  return std::ranges::all_of(runs_, [&](const Run& r) {
    return r.instance == runs_[0].instance && r.barrier == runs_[0].barrier;
  });
}
std::uint32_t WorkgroupRun::all_votes() const {
  std::uint32_t votes = 0;
  for (const Run& r : runs_) votes |= r.vote;
  return votes;
}

std::vector<BarrierArrival> WorkgroupRun::arrivals() const {
  std::vector<BarrierArrival> all;
  for (std::uint32_t s = 0; s < count_; ++s) {
    BarrierArrival& arrival = all.emplace_back();
    if (runs_[s].state == State::ended)
      arrival.ended = true;
    else
      arrival = describe_.arrival(s);
  }
  return all;
}

}  // namespace lockstep
