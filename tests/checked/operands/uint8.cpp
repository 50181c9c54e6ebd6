#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::uint8_t, std::uint8_t)
