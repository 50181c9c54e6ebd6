#include <lockstep/dispatch/parallel.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include <lockstep/exec/fault_log.hpp>

#include "runtime/dispatch/thread_order.hpp"

namespace lockstep {
namespace {

/// A range of a parallel loop: it starts after what precedes the loop, and what follows the loop, after it.
class RangeOrder {
 public:
  RangeOrder(ThreadOrder& start, ThreadOrder& end) : end_(end) { start.take(); }
  ~RangeOrder() { end_.give(); }
  RangeOrder(const RangeOrder&) = delete;
  RangeOrder& operator=(const RangeOrder&) = delete;

 private:
  ThreadOrder& end_;
};

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

/// An arena of oneTBB for one parallel loop at a time. Finished loops leave theirs to later ones, since each arena that
/// is made takes some kilobytes for good and slows down those made after it (oneTBB 2021.8). Loops that run at once have
/// an arena each, so that none runs another's ranges while it waits.
class Arena {
 public:
  explicit Arena(int threads) : idle_(idle_arenas(threads)) {
    const std::scoped_lock lock(idle_.mutex);
    if (idle_.arenas.empty())
      arena_.emplace_back(threads);
    else
      arena_.splice(arena_.end(), idle_.arenas, idle_.arenas.begin());
  }
  ~Arena() {
    const std::scoped_lock lock(idle_.mutex);
    idle_.arenas.splice(idle_.arenas.begin(), arena_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class F>
  void execute(const F& f) {
    arena_.front().execute(f);
  }

 private:
  struct Idle {
    std::mutex mutex;
    std::list<tbb::task_arena> arenas;
  };
  /// Those of so many threads. Never destroyed: the destructors of a program's globals may still dispatch.
  static Idle& idle_arenas(int threads) {
    static std::mutex finding;
    static auto& all = *new std::map<int, Idle>;
    const std::scoped_lock lock(finding);
    return all[threads];
  }

  Idle& idle_;
  std::list<tbb::task_arena> arena_;  ///< one, which a list takes and gives back without allocating
};

}  // namespace

int available_threads() { return tbb::info::default_concurrency(); }

void parallel_ranges(std::size_t count, int threads, void (*body)(void*, std::size_t, std::size_t),
                     void* context, Progress* progress) {
  if (count == 0) return;
  Told told(count, body, context, progress);
  if (threads == 1 || count == 1) {
    told.run(0, count);
    return;
  }
  // With more, oneTBB would only complain on standard error.
  const int available = available_threads();
  Arena arena(threads > 0 ? std::min(threads, available) : available);
  ThreadOrder start, end;
  start.give();
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        const RangeOrder order(start, end);
                        told.run_unless_failed(range.begin(), range.end());
                      });
  });
  end.take();
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
