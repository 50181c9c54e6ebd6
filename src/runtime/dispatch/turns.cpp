#include <lockstep/dispatch/turns.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <utility>

#include <lockstep/exec/endless_loop.hpp>

#include "runtime/dispatch/fiber.hpp"

namespace lockstep {
namespace {

/// Thrown through a subgroup that is not to go on, because another one failed.
struct Abandoned {};

}  // namespace

class Turns::Scheduler : public WorkgroupRun::Subgroups {
 public:
  Scheduler(std::uint32_t subgroups, Size3 workgroup, Lenient lenient, Chooser* chooser)
      : run_(subgroups, *this, lenient) {
    for (std::uint32_t s = 0; s < subgroups; ++s) parts_.emplace_back([this, s] { take_turns(s); });
    run_.start(workgroup, chooser);
  }

  void run(Work& work) {
    work_ = &work;
    next_ = parts_.empty() ? WorkgroupRun::none : run_.running();
    while (next_ != WorkgroupRun::none) {
      try {
        parts_[next_].fiber.resume();
      } catch (...) {  // there is no memory for another stack
        failure_ = std::current_exception();
      }
      if (failure_) next_ = next_abandoned();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  std::uint32_t barrier(const BarrierArrival& arrival, std::uint32_t vote) {
    const std::uint32_t me = run_.running();
    parts_[me].arrival = arrival;
    const bool whole = !arrival.returned.any_lane() && !arrival.elsewhere.any_lane();
    return wait(me, [&] { return run_.arrive(arrival.barrier, whole, vote); });
  }
  std::uint32_t meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) {
    return wait(run_.running(), [&] { return run_.meet(where, instance, vote); });
  }

  void pause() {
    const std::uint32_t me = run_.running();
    wait(me, [&] { return run_.pause(); });
  }
  void yield() {
    const std::uint32_t me = run_.running();
    wait(me, [&] { return run_.yield(); });
  }
  bool others_ready() const { return run_.others_ready(); }

  BarrierArrival arrival(std::uint32_t subgroup) const override { return parts_[subgroup].arrival; }
  const LenientNotes& notes() const { return run_.notes(); }

 private:
  struct Part {
    explicit Part(std::function<void()> body) : fiber(std::move(body)) {}

    Fiber fiber;
    BarrierArrival arrival;
  };

  /// The subgroup stops as `report` says, until it is its turn again. Gives what it is answered.
  template <class Report>
  std::uint32_t wait(std::uint32_t me, Report report) {
    pass_on(report);
    if (next_ != me && !failure_) {
      work_->switch_out(me);
      Fiber& mine = parts_[me].fiber;
      Fiber& other = parts_[next_].fiber;
      other.is_under_way() ? mine.stop_for(other) : mine.stop();
      work_->switch_in(me);
    }
    if (failure_) throw Abandoned();
    return run_.answer(me);
  }

  /// What the fiber of a subgroup does.
  void take_turns(std::uint32_t s) {
    try {
      work_->switch_in(s);
      work_->run(s);
      work_->switch_out(s);
    } catch (const Abandoned&) {
      work_->switch_out(s);
    } catch (...) {
      if (!failure_) failure_ = described_failure();
      work_->switch_out(s);
    }
    pass_on([this] { return run_.end(); });
  }

  /// The exception being handled; that of an endless loop says where the other subgroups wait.
  std::exception_ptr described_failure() const {
    try {
      try {
        throw;
      } catch (const EndlessLoop& loop) {
        fail::endless_loop(loop, run_.waiting());
      }
    } catch (...) {
      return std::current_exception();
    }
  }

  /// The turn after this one is that of the subgroup that the report names.
  template <class Report>
  void pass_on(Report report) {
    try {
      if (!failure_) next_ = report();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// After a failure each subgroup that is under way is resumed once more, to be abandoned: gives the next.
  std::uint32_t next_abandoned() const {
    const auto left =
        std::ranges::find_if(parts_, [&](const Part& part) { return part.fiber.is_under_way(); });
    return left == parts_.end() ? WorkgroupRun::none
                                : static_cast<std::uint32_t>(left - parts_.begin());
  }

  std::deque<Part> parts_;
  WorkgroupRun run_;
  Work* work_ = nullptr;
  std::uint32_t next_ = WorkgroupRun::none;  ///< whose turn it is
  std::exception_ptr failure_;
};

Turns::Turns(std::uint32_t subgroups, Size3 workgroup, Lenient lenient, Chooser* chooser)
    : scheduler_(new Scheduler(subgroups, workgroup, lenient, chooser)) {}
Turns::~Turns() { delete scheduler_; }

void Turns::run(Work& work) { scheduler_->run(work); }

std::uint32_t Turns::meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) {
  return scheduler_->meet(where, instance, vote);
}

std::uint32_t Turns::barrier(const BarrierArrival& arrival, std::uint32_t vote) {
  return scheduler_->barrier(arrival, vote);
}

void Turns::pause() { scheduler_->pause(); }
void Turns::yield() { scheduler_->yield(); }
bool Turns::others_ready() const { return scheduler_->others_ready(); }

void Turns::pass_barrier(ReconvergenceStack& stack, const BarrierId& barrier) {
  constexpr std::uint32_t together = 1, apart = 2;
  const bool mine = stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing;
  const std::uint32_t votes = this->barrier(arrival_of(stack, barrier), mine ? together : apart);
  lockstep::pass_barrier(stack, votes == together);
}

const LenientNotes& Turns::notes() const { return scheduler_->notes(); }

}  // namespace lockstep
