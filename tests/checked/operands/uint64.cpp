#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::uint64_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::uint64_t, Body, test::forms_of_type<std::uint64_t>>;

TEST_CASE("operators and functions on operands in every form: uint64") {
  test::check_operands<std::uint64_t, Body, Applies>();
}

}  // namespace
