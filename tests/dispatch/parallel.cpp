#include <lockstep/dispatch/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using lockstep::parallel_ranges;

struct Visits {
  explicit Visits(std::size_t count) : times(count) {}

  static void body(void* context, std::size_t begin, std::size_t end) {
    auto& self = *static_cast<Visits*>(context);
    for (std::size_t i = begin; i < end; ++i) ++self.times[i];
    const std::lock_guard lock(self.mutex);
    self.ranges.emplace_back(begin, end);
    self.threads.insert(std::this_thread::get_id());
  }

  std::vector<std::atomic<int>> times;
  std::mutex mutex;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  std::set<std::thread::id> threads;
};

TEST_CASE("ranges cover every index exactly once, on at most as many threads as asked for") {
  for (const int threads : {0, 1, 2, 3, 8}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
      Visits visits(count);
      parallel_ranges(count, threads, Visits::body, &visits);
      INFO("threads " << threads << ", count " << count);
      int wrong = 0;
      for (const auto& times : visits.times) wrong += times != 1;
      CHECK(wrong == 0);
      if (threads > 0) CHECK(visits.threads.size() <= static_cast<std::size_t>(threads));
      for (const auto& [begin, end] : visits.ranges) CHECK(begin < end);
    }
  }
}

TEST_CASE("one thread is one call, in this thread") {
  Visits visits(100);
  parallel_ranges(100, 1, Visits::body, &visits);
  CHECK(visits.ranges == std::vector<std::pair<std::size_t, std::size_t>>{{0, 100}});
  CHECK(visits.threads == std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("nothing to do is no call") {
  for (const int threads : {0, 1, 3}) {
    Visits visits(0);
    parallel_ranges(0, threads, Visits::body, &visits);
    CHECK(visits.ranges.empty());
  }
}

TEST_CASE("an exception of a body comes out") {
  const auto body = [](void* context, std::size_t begin, std::size_t end) {
    const auto bad = *static_cast<const std::size_t*>(context);
    if (begin <= bad && bad < end) throw std::runtime_error("from index " + std::to_string(bad));
  };
  for (const int threads : {0, 1, 3}) {
    std::size_t bad = 617;
    CHECK_THROWS_WITH(parallel_ranges(1000, threads, body, &bad), "from index 617");
    bad = 5000;
    CHECK_NOTHROW(parallel_ranges(1000, threads, body, &bad));
  }
}

TEST_CASE("of several exceptions that of the lowest range comes out, whichever is thrown first") {
  struct Fails {
    static void body(void* context, std::size_t begin, std::size_t end) {
      const auto& self = *static_cast<const Fails*>(context);
      for (std::size_t k = begin; k < end; ++k) {
        if (k < self.lowest) continue;
        // The lowest is slow, and so is everything before it.
        if (begin <= self.lowest) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        throw std::runtime_error("from index " + std::to_string(k));
      }
    }
    std::size_t lowest;
  };
  for (const int threads : {0, 1, 2, 3}) {
    for (std::size_t lowest : {0u, 1u, 499u, 500u, 617u, 999u}) {
      Fails fails{lowest};
      CHECK_THROWS_WITH(parallel_ranges(1000, threads, Fails::body, &fails),
                        "from index " + std::to_string(lowest));
    }
  }
}

struct Told : lockstep::Progress {
  void on(std::size_t done, std::size_t total) override {
    calls.emplace_back(done, total);
    if (calls.size() == throw_at) throw std::runtime_error("told enough");
  }
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  std::size_t throw_at = 0;
};

TEST_CASE("progress rises to the total, told by one thread at a time") {
  for (const int threads : {1, 2, 0}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{128},
                                    std::size_t{129}, std::size_t{100000}}) {
      Visits visits(count);
      Told told;
      parallel_ranges(count, threads, Visits::body, &visits, &told);
      INFO("threads " << threads << ", count " << count);
      std::size_t before = 0;
      for (const auto& [done, total] : told.calls) {
        CHECK(done > before);
        CHECK(total == count);
        before = done;
      }
      CHECK(before == count);
      CHECK(told.calls.size() == visits.ranges.size());
      CHECK(told.calls.size() >= std::min<std::size_t>(count, 64));
      int wrong = 0;
      for (const auto& times : visits.times) wrong += times != 1;
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("progress of a slow run is told often, whatever its size") {
  struct Slow {
    static void body(void*, std::size_t begin, std::size_t end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10) * (end - begin));
    }
  };
  struct EndsEarly : lockstep::Progress {
    void on(std::size_t done, std::size_t) override {
      most = std::max(most, done - before);
      before = done;
      if (++calls == 20) throw std::runtime_error("seen enough");
    }
    std::size_t before = 0, most = 0;
    int calls = 0;
  } progress;
  // All of it would take four months.
  CHECK_THROWS_WITH(parallel_ranges(1u << 30, 1, Slow::body, nullptr, &progress), "seen enough");
  CHECK(progress.most <= 8);
}

TEST_CASE("more threads than are available are fine") {
  const int available = lockstep::available_threads();
  CHECK(available >= 1);
  CHECK(available <= static_cast<int>(std::thread::hardware_concurrency()));
  Visits visits(1000);
  parallel_ranges(1000, available + 5, Visits::body, &visits);
  for (const auto& times : visits.times) CHECK(times == 1);
}

TEST_CASE("what the progress throws ends the run") {
  for (const int threads : {1, 0}) {
    Visits visits(10000);
    Told told;
    told.throw_at = 3;
    CHECK_THROWS_WITH(parallel_ranges(10000, threads, Visits::body, &visits, &told), "told enough");
    int done = 0;
    for (const auto& times : visits.times) done += times;
    CHECK(done < 10000);
  }
}

}  // namespace
