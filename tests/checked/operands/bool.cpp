#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (uint, number));

template <class S>
using Applies = test::AppliesToOperands<S, bool, Body, test::forms_of_type<bool>>;

TEST_CASE("operators and functions on operands in every form: bool") {
  test::check_operands<bool, Body, Applies>();
}

}  // namespace
