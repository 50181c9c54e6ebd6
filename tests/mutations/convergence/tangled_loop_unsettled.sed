# include/lockstep/exec/tangled_state.hpp
# A loop starts inside the selection before it.
/^NoOuterLoop enter_loop/,/^}/ s/settle(state);//
