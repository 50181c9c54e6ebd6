#include <lockstep/testing/for_each_size.hpp>

#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

namespace {

using namespace lockstep;

template <class F>
std::string error_of(const F& test, int first = 1, int last = 128) {
  try {
    for_each_size(test, first, last);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a test runs at every size, from the smallest up") {
  std::vector<int> seen, all(128);
  std::iota(all.begin(), all.end(), 1);
  for_each_size([&](int size) { seen.push_back(size); });
  CHECK(seen == all);
  seen.clear();
  for_each_size([&](int size) { return seen.push_back(size), true; }, 30, 32);
  CHECK(seen == std::vector<int>{30, 31, 32});
}

TEST_CASE("the first size that fails is the last that runs, and is named") {
  int last = 0;
  CHECK(error_of([&](int size) { return (last = size) < 24; }) ==
        "subgroup size 24 is the smallest that fails (sizes 1 to 23 passed): the test returned "
        "false");
  CHECK(last == 24);
  const auto throws_from = [](int from) {
    return [from](int size) {
      if (size >= from) throw std::out_of_range("no lane " + std::to_string(size));
    };
  };
  CHECK(error_of(throws_from(1)) == "subgroup size 1 is the smallest that fails: no lane 1");
  CHECK(error_of(throws_from(2)) ==
        "subgroup size 2 is the smallest that fails (size 1 passed): no lane 2");
  CHECK(error_of(throws_from(0), 8, 16) == "subgroup size 8 is the smallest that fails: no lane 8");
}

TEST_CASE("exceptions of test frameworks are passed on") {
  struct Stop {};
  int runs = 0;
  const auto test = [&](int) {
    ++runs;
    throw Stop();
  };
  CHECK_THROWS_AS(for_each_size(test), Stop);
  CHECK(runs == 1);
}

TEST_CASE("sizes that do not exist are an error") {
  const auto nothing = [](int) {};
  CHECK(error_of(nothing, 0, 8) == "for_each_size: 0 to 8 are not subgroup sizes; use 1 to 128");
  CHECK_THROWS_AS(for_each_size(nothing, 1, 129), Error);
  CHECK_THROWS_AS(for_each_size(nothing, 9, 8), Error);
}

class Watch : public TestWatch {
 public:
  void start(std::string_view where) override {
    if (fails_from == 0) return;
    const std::string_view start = "at subgroup size ";
    REQUIRE(where.starts_with(start));
    size_ = std::stoi(std::string(where.substr(start.size())));
    ++running;
  }
  bool failed() override { return fails_from != 0 && size_ >= fails_from; }
  void stop() noexcept override {
    if (fails_from != 0) --running;
  }

  int fails_from = 0;
  int running = 0;

 private:
  int size_ = 0;
};

TEST_CASE("a failed assertion of a watching framework ends the run") {
  static Watch watch;
  static const bool registered = (watch_tests(watch), true);
  REQUIRE(registered);
  watch.fails_from = 5;
  std::vector<int> seen;
  for_each_size([&](int size) {
    CHECK(watch.running == 1);
    seen.push_back(size);
  });
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5});
  CHECK(watch.running == 0);
  watch.fails_from = 0;
}

}  // namespace
