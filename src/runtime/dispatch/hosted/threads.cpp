#include "runtime/dispatch/threads.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <list>
#include <map>
#include <mutex>

#include <lockstep/dispatch/parallel.hpp>

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

void run_on_threads(std::size_t count, int threads,
                    const std::function<void(std::size_t, std::size_t)>& body) {
  Arena arena(threads);
  ThreadOrder start, end;
  start.give();
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        const RangeOrder order(start, end);
                        body(range.begin(), range.end());
                      });
  });
  end.take();
}

}  // namespace lockstep
