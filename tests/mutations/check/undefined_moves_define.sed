# src/shader/instruments/undefined/undefined_values.cpp
# Variables do not take over that a value is undefined.
s/const Reg from = shadows_.or_defined(shadows_.of(op.src\[0\]));/const Reg from = shadows_.constant(0);/
