#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::int32_t, std::int32_t)
