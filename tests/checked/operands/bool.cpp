#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(bool, std::uint32_t)
