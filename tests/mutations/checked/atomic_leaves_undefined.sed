# include/lockstep/checked/detail/memory.hpp
# Shared memory stays undefined after an atomic.
s/AtomicLoad>) set(k, 0);/AtomicLoad>) static_cast<void>(this);/
