#include <lockstep/dispatch/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

#include <lockstep/exec/fault_log.hpp>

#include "runtime/dispatch/kept_denormals.hpp"
#include "runtime/dispatch/threads.hpp"

namespace lockstep {
namespace {

/// The exception of the lowest range that threw one. Ranges after it need not run.
class Failure {
 public:
  void keep(std::size_t begin, std::exception_ptr error) {
    const std::scoped_lock lock(keeping_);
    if (begin >= begin_) return;
    begin_ = begin;
    error_ = std::move(error);
  }
  bool is_at_or_before(std::size_t begin) const { return begin_ <= begin; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex keeping_;
  std::atomic<std::size_t> begin_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

/// A body that reports progress after each piece of a range. Pieces grow from 1 while they take little time, so that
/// slow bodies report often and fast ones are not slowed down.
class Told {
 public:
  Told(std::size_t count, void (*body)(void*, std::size_t, std::size_t), void* context,
       Progress* progress)
      : count_(count),
        most_((count + pieces - 1) / pieces),
        body_(body),
        context_(context),
        progress_(progress) {}

  void run(std::size_t begin, std::size_t end) {
    const KeptDenormals mode;
    if (progress_ == nullptr) return body_(context_, begin, end);
    for (std::size_t next; begin < end && !failure_.is_at_or_before(begin); begin = next) {
      const std::size_t piece = piece_;
      next = begin + std::min(piece, end - begin);
      const auto start = std::chrono::steady_clock::now();
      body_(context_, begin, next);
      adapt(piece, std::chrono::steady_clock::now() - start);
      tell(next - begin);
    }
  }
  /// The same, keeping its exception.
  void run_unless_failed(std::size_t begin, std::size_t end) {
    if (failure_.is_at_or_before(begin)) return;
    try {
      run(begin, end);
    } catch (...) {
      failure_.keep(begin, std::current_exception());
    }
  }
  void rethrow() const { failure_.rethrow(); }

 private:
  static constexpr std::size_t pieces = 128;
  static constexpr std::chrono::milliseconds short_time{5}, long_time{50};

  void adapt(std::size_t piece, std::chrono::steady_clock::duration took) {
    if (took < short_time)
      piece_ = std::min(2 * piece, most_);
    else if (took > long_time)
      piece_ = std::max<std::size_t>(piece / 2, 1);
  }
  void tell(std::size_t more) {
    const std::scoped_lock lock(telling_);
    done_ += more;
    try {
      progress_->on(done_, count_);
    } catch (...) {
      failure_.keep(0, std::current_exception());  // nothing more need run
      throw;
    }
  }

  std::size_t count_;
  std::size_t most_;
  std::atomic<std::size_t> piece_ = 1;
  void (*body_)(void*, std::size_t, std::size_t);
  void* context_;
  Progress* progress_;
  std::mutex telling_;
  std::size_t done_ = 0;
  Failure failure_;
};

}  // namespace

void parallel_ranges(std::size_t count, int threads, void (*body)(void*, std::size_t, std::size_t),
                     void* context, Progress* progress) {
  if (count == 0) return;
  Told told(count, body, context, progress);
  if (threads == 1 || count == 1) {
    told.run(0, count);
    return;
  }
  const int available = available_threads();
  run_on_threads(count, threads > 0 ? std::min(threads, available) : available,
                 [&](std::size_t begin, std::size_t end) { told.run_unless_failed(begin, end); });
  told.rethrow();
}

FaultLog parallel_ranges(std::size_t count, int threads,
                         FaultLog (*body)(void*, std::size_t, std::size_t), void* context,
                         Progress* progress) {
  struct Gathering {
    FaultLog (*body)(void*, std::size_t, std::size_t);
    void* context;
    std::mutex merging;
    FaultLog found;
  } gathering{body, context, {}, {}};
  parallel_ranges(
      count, threads,
      [](void* to, std::size_t begin, std::size_t end) {
        auto& all = *static_cast<Gathering*>(to);
        const FaultLog mine = all.body(all.context, begin, end);
        const std::scoped_lock lock(all.merging);
        all.found.merge_by_workgroup(mine);
      },
      &gathering, progress);
  return std::move(gathering.found);
}

}  // namespace lockstep
