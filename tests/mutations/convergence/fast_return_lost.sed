# include/lockstep/exec/transitions.hpp
# Lanes that return from a function never run again.
s/state.returned = state.returned | state.active;//
