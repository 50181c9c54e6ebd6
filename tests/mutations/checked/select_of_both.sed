# include/lockstep/checked/detail/lanes.hpp
# A selection is undefined where either of its values is.
s/select(mask, a\.poison_, b\.poison_)/(a.poison_ | b.poison_)/
