# include/lockstep/checked/detail/lanes.hpp
# The condition of a selection may be undefined.
s/condition\.poison() | select(/select(/
