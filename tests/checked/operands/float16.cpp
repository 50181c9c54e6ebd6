#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(lockstep::float16_t, lockstep::float16_t)
