#include <lockstep/exec/call_site.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace lockstep;

namespace {

CallSite called(CallSite site = CallSite::current()) { return site; }
template <class T>
CallSite called_in_template() {
  return called();
}

}  // namespace

TEST_CASE("a call site is the place of the call that uses the default") {
  const CallSite site = called();
  const int line = __LINE__ - 1;
  CHECK(site.where().line == line);
  CHECK(site.where().column > 0);
  CHECK(std::string(site.where().file) == __FILE__);
}

TEST_CASE("calls on one line are told apart, one call that is made again is not") {
  // clang-format off
  const CallSite first = called(), second = called();
  // clang-format on
  CHECK(first == first);
  CHECK(!(first == second));
  CallSite previous;
  for (int k = 0; k < 2; ++k) {
    const CallSite site = called();
    CHECK((k == 0 || site == previous));
    previous = site;
  }
  CHECK(!(previous == CallSite()));
}

TEST_CASE("a call in a template is one place for all of its instances") {
  CHECK(called_in_template<int>() == called_in_template<float>());
  CHECK(!(called_in_template<int>() == called()));
}
