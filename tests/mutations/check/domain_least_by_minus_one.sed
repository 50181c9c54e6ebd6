# src/shader/instruments/undefined/undefined_results.cpp
# The least number divided by -1 has a quotient.
s/return either(zero, both(equal(operand(0), least), equal(operand(1), minus_one)));/return either(zero, both(equal(operand(0), least), zero));/
