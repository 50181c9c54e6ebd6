# src/shader/instruments/undefined/undefined_values.cpp
# A function's variables keep their values from call to call.
s/if (origins_.contains(r)) start_variable(r);/(void)r;/
