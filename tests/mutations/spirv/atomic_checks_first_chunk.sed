# src/shader/run/ops/atomic.cpp
# Only the first chunk's indices of an atomic are checked.
/^bool all_below/,/^}/s/for (unsigned k = 0; k < i->chunks; ++k)/for (unsigned k = 0; k < 1u + 0u * i->chunks; ++k)/
