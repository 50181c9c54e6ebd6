# include/lockstep/exec/transitions.hpp
# Lanes that continued never run again.
s/state.active = state.active | state.continuing;//
