#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(std::int64_t, std::int64_t)
