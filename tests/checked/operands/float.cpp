#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (float, number));

template <class S>
using Applies = test::AppliesToOperands<S, float, Body, test::forms_of_type<float>>;

TEST_CASE("operators and functions on operands in every form: float") {
  test::check_operands<float, Body, Applies>();
}

}  // namespace
