#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::int16_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::int16_t, Body, test::forms_of_type<std::int16_t>>;

TEST_CASE("operators and functions on operands in every form: int16") {
  test::check_operands<std::int16_t, Body, Applies>();
}

}  // namespace
