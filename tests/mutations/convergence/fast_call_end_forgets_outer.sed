# include/lockstep/exec/transitions.hpp
# A call forgets the lanes that returned from its caller.
s/  state.returned = outer;//
