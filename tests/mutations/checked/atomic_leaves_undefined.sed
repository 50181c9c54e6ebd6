# include/lockstep/checked/detail/memory.hpp
# Shared memory stays undefined after an atomic.
s/if (!reads) shadow_->set(k, 0);//
