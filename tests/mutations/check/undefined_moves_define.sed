# src/shader/instruments/undefined/undefined_values.cpp
# Variables do not take over that a value is undefined.
s/{from == no_reg ? constant(0) : from}/{constant(from == no_reg ? 0 : 0)}/
