# include/lockstep/exec/tangled_state.hpp
# The active mask of a case stays behind the stack.
/^bool enter_case/,/^}/ s/follow_stack(state);//
