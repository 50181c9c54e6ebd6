# include/lockstep/checked/detail/memory.hpp
# What is stored in shared memory is defined.
s/shadow_->set(k, each\[i\])/shadow_->set(k, each[i] \& 0u)/
