#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (float16_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, float16_t, Body, test::forms_of_type<float16_t>>;

TEST_CASE("operators and functions on operands in every form: float16") {
  test::check_operands<float16_t, Body, Applies>();
}

}  // namespace
