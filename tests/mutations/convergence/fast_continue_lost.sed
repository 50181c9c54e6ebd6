# include/lockstep/exec/transitions.hpp
# Continue forgets its lanes.
s/state.continuing = state.continuing | state.active;//
