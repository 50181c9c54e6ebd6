#include "checked/operands/operands.hpp"

LOCKSTEP_TEST_OPERANDS(double, double)
