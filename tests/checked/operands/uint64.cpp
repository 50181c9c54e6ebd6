#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::uint64_t, std::uint64_t)
