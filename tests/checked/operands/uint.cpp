#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::uint32_t, std::uint32_t)
