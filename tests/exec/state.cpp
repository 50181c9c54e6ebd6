#include <lockstep/exec/state.hpp>

#include <type_traits>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

template <int W>
constexpr bool starts_empty() {
  constexpr exec::State<W> state;
  return state.active == Mask<W>::none() && state.broken == Mask<W>::none() &&
         state.continuing == Mask<W>::none() && state.otherwise == Mask<W>::none() &&
         state.returned == Mask<W>::none();
}

template <int W>
constexpr bool is_plain_data() {
  return std::is_trivially_copyable_v<exec::State<W>> &&
         sizeof(exec::State<W>) == 7 * sizeof(Mask<W>);  // six, and a bool with its padding
}

TEST_CASE("a state starts without lanes") {
  STATIC_REQUIRE(starts_empty<1>());
  STATIC_REQUIRE(starts_empty<24>());
  STATIC_REQUIRE(starts_empty<33>());
  STATIC_REQUIRE(starts_empty<128>());
}

TEST_CASE("lanes that return from the kernel are told from those that return from a function") {
  exec::State<8> state;
  state.start(Mask<8>::first_n(8));
  state.returned = Mask<8>::lane(3);
  CHECK(state.ended() == Mask<8>::lane(3));
  state.gone = state.returned;
  state.in_function = true;
  state.returned = Mask<8>::lane(5);
  CHECK(state.ended() == Mask<8>::lane(3));
}

TEST_CASE("a state is a few masks that subgroups copy when they take turns") {
  STATIC_REQUIRE(is_plain_data<1>());
  STATIC_REQUIRE(is_plain_data<24>());
  STATIC_REQUIRE(is_plain_data<33>());
  STATIC_REQUIRE(is_plain_data<128>());
}

}  // namespace
