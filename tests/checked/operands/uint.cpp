#include "checked/operands/operands.hpp"

namespace {

using namespace lockstep;

LOCKSTEP_STRUCT(Body, (uint, before), (std::uint32_t, number));

template <class S>
using Applies = test::AppliesToOperands<S, std::uint32_t, Body, test::forms_of_type<std::uint32_t>>;

TEST_CASE("operators and functions on operands in every form: uint") {
  test::check_operands<std::uint32_t, Body, Applies>();
}

}  // namespace
