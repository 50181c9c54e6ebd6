#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::uint8_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::uint8_t, Body, test::forms_of_type<std::uint8_t>>;

TEST_CASE("operators and functions on operands in every form: uint8") {
  test::check_operands<std::uint8_t, Body, Applies>();
}

}  // namespace
