#include <lockstep/testing/test_watch.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/testing/for_each_choice.hpp>
#include <lockstep/testing/for_each_size.hpp>

namespace {

using namespace lockstep;

class Listener : public TestWatch {
 public:
  void start(std::string_view where) override {
    if (listens) heard.emplace_back(where);
  }
  bool failed() override { return listens && heard.size() == fails_at; }
  void stop() noexcept override {
    if (listens) ++stopped;
  }

  bool listens = false;
  std::size_t fails_at = 0, stopped = 0;
  std::vector<std::string> heard;
};

Listener& listener() {
  static Listener one;
  static const bool registered = (watch_tests(one), true);
  REQUIRE(registered);
  one.heard.clear();
  one.stopped = 0;
  return one;
}

}  // namespace

TEST_CASE("watches hear where repeated tests run, and a failed assertion ends them") {
  Listener& heard = listener();
  heard.listens = true;
  heard.fails_at = 2;
  for_each_size([](int) {}, 7, 12);
  CHECK(heard.heard == std::vector<std::string>{"at subgroup size 7", "at subgroup size 8"});
  CHECK(heard.stopped == 2);
  heard.heard.clear();
  CHECK_FALSE(for_each_choice([](const Convergence& c) { c.chooser->choose(3, {"a.cpp", 1}); }));
  CHECK(heard.heard ==
        std::vector<std::string>{"under core convergence with the choices rejoin-all",
                                 "under core convergence with the choices 1, then rejoin-all"});
  heard.listens = false;
}
