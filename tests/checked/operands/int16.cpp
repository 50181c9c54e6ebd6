#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::int16_t, std::int16_t)
