#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::int32_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::int32_t, Body, test::forms_of_type<std::int32_t>>;

TEST_CASE("operators and functions on operands in every form: int") {
  test::check_operands<std::int32_t, Body, Applies>();
}

}  // namespace
