#include "dispatch/fiber.hpp"

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

TEST_CASE("a fiber stops and goes on where it was") {
  std::string diary;
  Fiber* self = nullptr;
  Fiber fiber([&] {
    diary += "a";
    self->stop();
    diary += "b";
    self->stop();
    diary += "c";
  });
  self = &fiber;
  CHECK_FALSE(fiber.is_under_way());
  for (const char* mark : {"1", "2"}) {
    fiber.resume();
    CHECK(fiber.is_under_way());
    diary += mark;
  }
  fiber.resume();
  CHECK_FALSE(fiber.is_under_way());
  CHECK(diary == "a1b2c");
}

/// Uses as many KiB of the stack as it is deep.
int depth_of(int depth, const std::function<void()>& at_the_end) {
  volatile char room[1024] = {};
  room[0] = 1;
  if (depth == 0) at_the_end();
  return depth == 0 ? 0 : depth_of(depth - 1, at_the_end) + room[0];
}

TEST_CASE("a fiber's stack is as deep as a thread's, and kept for the next fiber") {
  constexpr int deep = 3000;
  for (int round = 0; round < 3; ++round) {
    std::vector<int> depths;
    Fiber* first = nullptr;
    Fiber* second = nullptr;
    Fiber a([&] { depths.push_back(depth_of(deep, [&] { first->stop(); })); });
    Fiber b([&] { depths.push_back(depth_of(deep + 1, [&] { second->stop(); })); });
    first = &a;
    second = &b;
    a.resume();
    b.resume();
    a.resume();
    b.resume();
    CHECK(depths == std::vector{deep, deep + 1});
  }
}

/// Notes the count of exceptions that pass while it is destroyed.
struct Watch {
  std::vector<int>& counts;
  ~Watch() { counts.push_back(std::uncaught_exceptions()); }
};

TEST_CASE("exceptions of a fiber are its own") {
  std::vector<int> counts;
  std::string caught;
  Fiber* self = nullptr;
  Fiber fiber([&] {
    try {
      const Watch watch{counts};
      throw std::runtime_error("inner");
    } catch (const std::runtime_error&) {
      self->stop();  // in a handler, while the others handle theirs
      try {
        throw;
      } catch (const std::runtime_error& error) {
        caught += error.what();
      }
    }
    const Watch watch{counts};
  });
  self = &fiber;
  fiber.resume();
  try {
    struct ResumeInDestructor {
      Fiber& fiber;
      std::vector<int>& counts;
      ~ResumeInDestructor() {
        fiber.resume();
        counts.push_back(std::uncaught_exceptions());
      }
    };
    const ResumeInDestructor resume{fiber, counts};
    throw std::runtime_error("outer");
  } catch (const std::runtime_error&) {
    try {
      throw;
    } catch (const std::runtime_error& error) {
      caught += error.what();
    }
  }
  CHECK(counts == std::vector{1, 0, 1});
  CHECK(caught == "innerouter");
}

TEST_CASE("fibers run fibers") {
  std::string diary;
  Fiber* outer_self = nullptr;
  Fiber outer([&] {
    Fiber* inner_self = nullptr;
    Fiber inner([&] {
      diary += "i";
      inner_self->stop();
      diary += "j";
    });
    inner_self = &inner;
    inner.resume();
    outer_self->stop();
    inner.resume();
    diary += "o";
  });
  outer_self = &outer;
  outer.resume();
  diary += "-";
  outer.resume();
  CHECK(diary == "i-jo");
}

TEST_CASE("many fibers on several threads, more than a thread keeps") {
  std::array<std::size_t, 3> sums{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t& sum : sums) {
      threads.emplace_back([&sum] {
        constexpr std::size_t count = 1100;
        std::vector<std::unique_ptr<Fiber>> fibers(count);
        for (std::size_t k = 0; k < count; ++k)
          fibers[k] = std::make_unique<Fiber>([&, k] {
            sum += k;
            fibers[k]->stop();
            sum += 1;
          });
        for (const auto& fiber : fibers) fiber->resume();
        for (const auto& fiber : fibers) fiber->resume();
      });
    }
  }
  CHECK(sums == std::array<std::size_t, 3>{605550, 605550, 605550});
}

}  // namespace
