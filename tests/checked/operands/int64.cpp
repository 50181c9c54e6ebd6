#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::int64_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::int64_t, Body, test::forms_of_type<std::int64_t>>;

TEST_CASE("operators and functions on operands in every form: int64") {
  test::check_operands<std::int64_t, Body, Applies>();
}

}  // namespace
