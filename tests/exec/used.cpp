#include <lockstep/exec/used.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/state.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace {

using namespace lockstep;

// A state that wants other values.
struct Doubling : exec::State<4> {};
int used(const Doubling&, int value, SourceLocation, UseKind) { return 2 * value; }

template <class State, class V>
decltype(auto) use(const State& state, const V& value) {
  using exec::used;
  return used(state, value, SourceLocation(), UseKind::index);
}

TEST_CASE("a used value is itself") {
  const Lanes<int, 4> lanes = Lanes<int, 4>::iota();
  CHECK(&use(exec::State<4>(), lanes) == &lanes);
}

TEST_CASE("a state overloads what is used") { CHECK(use(Doubling(), 21) == 42); }

}  // namespace
