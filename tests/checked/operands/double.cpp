#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (double, number));

template <class S>
using Applies = test::AppliesToOperands<S, double, Body, test::forms_of_type<double>>;

TEST_CASE("operators and functions on operands in every form: double") {
  test::check_operands<double, Body, Applies>();
}

}  // namespace
