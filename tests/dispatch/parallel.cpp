#include <lockstep/dispatch/parallel.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

TEST_CASE("parallel_ranges: every index once, whatever the threads") {
  for (const int threads : {0, 1, 3}) {
    for (const std::size_t count : {0u, 1u, 1000u}) {
      CAPTURE(threads, count);
      std::vector<std::atomic<int>> seen(count);
      lockstep::parallel_ranges(
          count, threads,
          [](void* context, std::size_t begin, std::size_t end) {
            auto& all = *static_cast<std::vector<std::atomic<int>>*>(context);
            for (std::size_t i = begin; i < end; ++i) ++all[i];
          },
          &seen);
      for (std::size_t i = 0; i < count; ++i) CHECK(seen[i] == 1);
    }
  }
}

TEST_CASE("parallel_ranges: one thread means one call in order") {
  int calls = 0;
  lockstep::parallel_ranges(
      50, 1,
      [](void* context, std::size_t begin, std::size_t end) {
        ++*static_cast<int*>(context);
        CHECK(begin == 0);
        CHECK(end == 50);
      },
      &calls);
  CHECK(calls == 1);
}

TEST_CASE("parallel_ranges: an exception of a body comes out") {
  for (const int threads : {0, 1}) {
    CHECK_THROWS_WITH(
        lockstep::parallel_ranges(
            10, threads, [](void*, std::size_t, std::size_t) { throw std::runtime_error("stop"); },
            nullptr),
        "stop");
  }
}
