# src/shader/instruments/undefined/tracked_memory.cpp
# Storing an undefined value in shared memory is reported.
s|if (shadows_.is_shared(op)) return store_shadow(op);|if (shadows_.is_shared(op)) store_shadow(op);|
