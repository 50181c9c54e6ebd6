#include <lockstep/dispatch/turns.hpp>

#include <algorithm>
#include <exception>
#include <semaphore>
#include <thread>
#include <vector>

#include <lockstep/exec/endless_loop.hpp>

namespace lockstep {
namespace {

/// Thrown through a subgroup that is not to go on, because another one failed.
struct Abandoned {};

}  // namespace

class Turns::Scheduler : public WorkgroupRun::Subgroups {
 public:
  Scheduler(std::uint32_t subgroups, Size3 workgroup, Lenient lenient)
      : threads_(subgroups), run_(subgroups, *this, lenient) {
    run_.start(workgroup);
  }

  void run(Work& work) {
    work_ = &work;
    if (threads_.empty()) return;
    std::vector<std::jthread> threads;
    threads.reserve(threads_.size());
    try {
      for (std::uint32_t s = 0; s < threads_.size(); ++s)
        threads.emplace_back([this, s] { take_turns(s); });
    } catch (...) {  // the system has no more threads: those that wait must come to an end
      failure_ = std::current_exception();
      for (std::size_t s = threads.size(); s < threads_.size(); ++s) threads_[s].ended = true;
    }
    pass_on([this] { return run_.running(); });
    done_.acquire();
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

  std::uint32_t barrier(const BarrierArrival& arrival, std::uint32_t vote) {
    const std::uint32_t me = run_.running();
    threads_[me].arrival = arrival;
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

  BarrierArrival arrival(std::uint32_t subgroup) const override {
    return threads_[subgroup].arrival;
  }
  const LenientNotes& notes() const { return run_.notes(); }

 private:
  struct Thread {
    bool ended = false;
    BarrierArrival arrival;
    std::binary_semaphore turn{0};
  };

  /// The subgroup stops as `report` says, until it is its turn again. Gives what it is answered.
  template <class Report>
  std::uint32_t wait(std::uint32_t me, Report report) {
    work_->switch_out(me);
    pass_on(report);
    threads_[me].turn.acquire();
    work_->switch_in(me);
    if (failure_) throw Abandoned();
    return run_.answer(me);
  }

  void take_turns(std::uint32_t s) {
    threads_[s].turn.acquire();
    if (!failure_) {
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
    }
    threads_[s].ended = true;
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

  /// Gives the turn to the subgroup that the report names; when all have ended, to run().
  template <class Report>
  void pass_on(Report report) {
    std::uint32_t next = WorkgroupRun::none;
    try {
      if (!failure_) next = report();
    } catch (...) {
      failure_ = std::current_exception();
    }
    // After a failure each is resumed once more, to be abandoned.
    if (failure_) {
      const auto left = std::ranges::find(threads_, false, &Thread::ended);
      if (left != threads_.end()) next = static_cast<std::uint32_t>(left - threads_.begin());
    }
    if (next == WorkgroupRun::none)
      done_.release();
    else
      threads_[next].turn.release();
  }

  std::vector<Thread> threads_;
  WorkgroupRun run_;
  Work* work_ = nullptr;
  std::exception_ptr failure_;
  std::binary_semaphore done_{0};
};

Turns::Turns(std::uint32_t subgroups, Size3 workgroup, Lenient lenient)
    : scheduler_(new Scheduler(subgroups, workgroup, lenient)) {}
Turns::~Turns() { delete scheduler_; }

void Turns::run(Work& work) { scheduler_->run(work); }

std::uint32_t Turns::meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) {
  return scheduler_->meet(where, instance, vote);
}

std::uint32_t Turns::barrier(const BarrierArrival& arrival, std::uint32_t vote) {
  return scheduler_->barrier(arrival, vote);
}

void Turns::pause() { scheduler_->pause(); }

void Turns::pass_barrier(ReconvergenceStack& stack, const BarrierId& barrier) {
  constexpr std::uint32_t together = 1, apart = 2;
  const bool mine = stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing;
  const std::uint32_t votes = this->barrier(arrival_of(stack, barrier), mine ? together : apart);
  lockstep::pass_barrier(stack, votes == together);
}

const LenientNotes& Turns::notes() const { return scheduler_->notes(); }

}  // namespace lockstep
