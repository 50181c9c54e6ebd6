# include/lockstep/exec/transitions.hpp
# A loop forgets the lanes that continued in the one around.
s/state.continuing = outer.continuing;//
