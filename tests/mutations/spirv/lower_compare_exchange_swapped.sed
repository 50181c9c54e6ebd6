# src/shader/lower/atomic.cpp
# A compare-exchange stores its comparator.
s/{l.scalar_of(i, 4), l.scalar_of(i, 5)}/{l.scalar_of(i, 5), l.scalar_of(i, 4)}/
