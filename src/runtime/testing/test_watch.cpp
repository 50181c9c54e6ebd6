#include <lockstep/testing/test_watch.hpp>

#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

std::vector<TestWatch*>& watches() {
  static std::vector<TestWatch*> all;
  return all;
}

}  // namespace

void watch_tests(TestWatch& watch) { watches().push_back(&watch); }

WatchedTest::WatchedTest(std::string_view where) {
  for (TestWatch* watch : watches()) watch->start(where);
}
WatchedTest::~WatchedTest() {
  for (TestWatch* watch : watches()) watch->stop();
}
bool WatchedTest::failed() const {
  return std::ranges::any_of(watches(), [](TestWatch* watch) { return watch->failed(); });
}

}  // namespace lockstep
