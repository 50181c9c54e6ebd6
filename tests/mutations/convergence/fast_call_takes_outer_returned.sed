# include/lockstep/exec/transitions.hpp
# Lanes that returned from the caller come back behind a call.
s/  state.returned = Mask<W>::none();//
