# include/lockstep/exec/transitions.hpp
# Lanes that left the loop around come back behind an inner one.
/OuterLoop<W> enter_loop/,/^}/ s/state.broken = Mask<W>::none();//
