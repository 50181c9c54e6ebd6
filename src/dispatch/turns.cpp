#include <lockstep/dispatch/turns.hpp>

#include <algorithm>
#include <exception>
#include <semaphore>
#include <string_view>
#include <thread>
#include <vector>

#include <lockstep/dispatch/error.hpp>

namespace lockstep {
namespace {

constexpr std::uint32_t elsewhere = ~std::uint32_t{0};

/// Thrown through a subgroup that is not to go on, because another one failed.
struct Abandoned {};

}  // namespace

class Turns::Scheduler {
 public:
  Scheduler(std::uint32_t subgroups, Size3 workgroup) : runs_(subgroups), workgroup_(workgroup) {}

  void run(Work& work) {
    work_ = &work;
    if (runs_.empty()) return;
    std::vector<std::jthread> threads;
    threads.reserve(runs_.size());
    try {
      for (std::uint32_t s = 0; s < runs_.size(); ++s)
        threads.emplace_back([this, s] { take_turns(s); });
    } catch (...) {  // the system has no more threads: those that wait must come to an end
      failure_ = std::current_exception();
      for (std::size_t s = threads.size(); s < runs_.size(); ++s) runs_[s].state = State::ended;
    }
    pass_on();
    done_.acquire();
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

  std::uint32_t wait(bool at_barrier, SourceLocation where, std::uint64_t instance,
                     std::uint32_t vote) {
    const std::uint32_t me = running_;
    Run& mine = runs_[me];
    mine.state = at_barrier ? State::at_barrier : State::meeting;
    mine.where = where;
    mine.instance = instance;
    mine.vote = vote;
    work_->switch_out(me);
    pass_on();
    mine.turn.acquire();
    work_->switch_in(me);
    if (failure_) throw Abandoned();
    return mine.vote;
  }

 private:
  enum class State { ready, meeting, at_barrier, ended };

  struct Run {
    State state = State::ready;
    SourceLocation where;
    std::uint64_t instance = 0;
    std::uint32_t vote = 0;  // given, and when it goes on, the answer
    std::binary_semaphore turn{0};
  };

  void take_turns(std::uint32_t s) {
    runs_[s].turn.acquire();
    if (!failure_) {
      try {
        work_->switch_in(s);
        work_->run(s);
        work_->switch_out(s);
      } catch (const Abandoned&) {
        work_->switch_out(s);
      } catch (...) {
        if (!failure_) failure_ = std::current_exception();
        work_->switch_out(s);
      }
    }
    runs_[s].state = State::ended;
    pass_on();
  }

  /// Gives the turn to the lowest subgroup that can go on; when all have ended, to run().
  void pass_on() {
    if (std::ranges::none_of(runs_, is_ready)) let_go_on();
    const auto next = std::ranges::find_if(runs_, is_ready);
    if (next == runs_.end()) {
      done_.release();
      return;
    }
    running_ = static_cast<std::uint32_t>(next - runs_.begin());
    next->turn.release();
  }

  /// Nobody is ready: answers those that wait for one another.
  void let_go_on() {
    if (failure_) {
      for (Run& r : runs_) {
        if (r.state != State::ended) r.state = State::ready;
      }
      return;
    }
    if (all_at(State::meeting) && same_place()) {
      answer(State::meeting, all_votes());
    } else if (std::ranges::any_of(runs_, [](const Run& r) { return r.state == State::meeting; })) {
      answer(State::meeting, elsewhere);
    } else if (all_at(State::at_barrier) && same_place()) {
      answer(State::at_barrier, all_votes());
    } else if (std::ranges::any_of(runs_,
                                   [](const Run& r) { return r.state == State::at_barrier; })) {
      refuse_barrier();
      let_go_on();
    }
  }

  static bool is_ready(const Run& r) { return r.state == State::ready; }
  bool all_at(State state) const {
    return std::ranges::all_of(runs_, [=](const Run& r) { return r.state == state; });
  }
  bool same_place() const {
    return std::ranges::all_of(runs_, [&](const Run& r) {
      return r.instance == runs_[0].instance && r.where.line == runs_[0].where.line &&
             std::string_view(r.where.file) == runs_[0].where.file;
    });
  }
  std::uint32_t all_votes() const {
    std::uint32_t votes = 0;
    for (const Run& r : runs_) votes |= r.vote;
    return votes;
  }
  void answer(State state, std::uint32_t votes) {
    for (Run& r : runs_) {
      if (r.state != state) continue;
      r.vote = votes;
      r.state = State::ready;
    }
  }
  void refuse_barrier() {
    std::vector<BarrierArrival> arrivals;
    for (const Run& r : runs_) {
      BarrierArrival arrival;
      arrival.ended = r.state != State::at_barrier;
      arrival.where = r.where;
      arrivals.push_back(arrival);
    }
    try {
      fail::partial_barrier(workgroup_, arrivals);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::vector<Run> runs_;
  Size3 workgroup_;
  Work* work_ = nullptr;
  std::uint32_t running_ = 0;
  std::exception_ptr failure_;
  std::binary_semaphore done_{0};
};

Turns::Turns(std::uint32_t subgroups, Size3 workgroup)
    : scheduler_(std::make_unique<Scheduler>(subgroups, workgroup)) {}
Turns::~Turns() = default;

void Turns::run(Work& work) { scheduler_->run(work); }

std::uint32_t Turns::meet(SourceLocation where, std::uint64_t instance, std::uint32_t vote) {
  return scheduler_->wait(false, where, instance, vote);
}

std::uint32_t Turns::barrier(SourceLocation where, std::uint32_t vote) {
  return scheduler_->wait(true, where, 0, vote);
}

}  // namespace lockstep
