#include "runtime/dispatch/fiber.hpp"

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

TEST_CASE("fibers pass the turn to each other, and the last one gives it back") {
  std::string diary;
  std::array<std::unique_ptr<Fiber>, 3> fibers;
  // Each stops once, so that all are under way; then 0 passes on to 1, 1 to 2 and 2 to 0.
  for (std::size_t k = 0; k < fibers.size(); ++k)
    fibers[k] = std::make_unique<Fiber>([&, k] {
      fibers[k]->stop();
      for (int round = 0; round < 3; ++round) {
        diary += static_cast<char>('0' + k);
        fibers[k]->stop_for(*fibers[(k + 1) % fibers.size()]);
      }
      diary += 'e';
    });
  for (const auto& fiber : fibers) fiber->resume();
  fibers[0]->resume();
  CHECK(diary == "012012012e");
  CHECK_FALSE(fibers[0]->is_under_way());
  fibers[2]->resume();  // another one than was resumed before
  CHECK(diary == "012012012ee");
  CHECK(fibers[1]->is_under_way());
  CHECK_FALSE(fibers[2]->is_under_way());
  fibers[1]->resume();
  CHECK(diary == "012012012eee");
  CHECK_FALSE(fibers[1]->is_under_way());
}

TEST_CASE("a fiber that ends in another's place is known to have ended") {
  std::string diary;
  Fiber* first = nullptr;
  Fiber* second = nullptr;
  Fiber a([&] {
    first->stop();
    first->stop_for(*second);
    diary += "a";
  });
  Fiber b([&] {
    second->stop();
    diary += "b";
  });
  first = &a;
  second = &b;
  a.resume();
  b.resume();
  a.resume();
  CHECK(diary == "b");
  CHECK_FALSE(b.is_under_way());
  CHECK(a.is_under_way());
  Fiber c([&] { diary += "c"; });  // on the stack of b
  c.resume();
  a.resume();
  CHECK(diary == "bca");
}

TEST_CASE("each of the fibers that pass the turn to each other has its own exceptions") {
  std::string caught;
  std::array<Fiber*, 2> fibers{};
  const auto body = [&](std::size_t k) {
    try {
      throw std::runtime_error(k == 0 ? "0" : "1");
    } catch (const std::runtime_error&) {
      fibers[k]->stop();
      if (k == 0) fibers[0]->stop_for(*fibers[1]);
      try {
        throw;
      } catch (const std::runtime_error& error) {
        caught += error.what();
      }
      CHECK(std::uncaught_exceptions() == 0);
      if (k == 1) fibers[1]->stop_for(*fibers[0]);
    }
  };
  Fiber a([&] { body(0); }), b([&] { body(1); });
  fibers = {&a, &b};
  try {
    throw std::runtime_error("home");
  } catch (const std::runtime_error&) {
    for (Fiber* fiber : {&a, &b, &a, &b}) fiber->resume();
    try {
      throw;
    } catch (const std::runtime_error& error) {
      caught += error.what();
    }
  }
  CHECK(caught == "10home");
  CHECK_FALSE(a.is_under_way());
  CHECK_FALSE(b.is_under_way());
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
