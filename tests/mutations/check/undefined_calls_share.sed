# src/shader/instruments/undefined/undefined_values.cpp
# A function's variables keep their values from call to call.
s/regs) shadows_.restart(r);/regs) (void)r;/
