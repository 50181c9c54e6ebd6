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
         sizeof(exec::State<W>) == 5 * sizeof(Mask<W>);
}

TEST_CASE("a state starts without lanes") {
  STATIC_REQUIRE(starts_empty<1>());
  STATIC_REQUIRE(starts_empty<24>());
  STATIC_REQUIRE(starts_empty<33>());
  STATIC_REQUIRE(starts_empty<128>());
}

TEST_CASE("a state is five masks that subgroups copy when they take turns") {
  STATIC_REQUIRE(is_plain_data<1>());
  STATIC_REQUIRE(is_plain_data<24>());
  STATIC_REQUIRE(is_plain_data<33>());
  STATIC_REQUIRE(is_plain_data<128>());
}

}  // namespace
