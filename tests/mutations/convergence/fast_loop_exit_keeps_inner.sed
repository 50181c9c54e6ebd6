# include/lockstep/exec/transitions.hpp
# Behind a loop, lanes that left it seem to have left the one around.
/^LOCKSTEP_INLINE void exit_loop/,/^}/ s/state.broken = outer.broken;//
