# src/shader/instruments/undefined/undefined_values.cpp
# Storing an undefined value in shared memory is reported.
s|if (is_shared(op)) return store_shadow(op);|if (is_shared(op)) store_shadow(op);|
