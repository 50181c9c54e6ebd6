# include/lockstep/exec/tangled_state.hpp
# The active mask of a trip stays behind the stack.
/^void next_trip/,/^}/ s/follow_stack(state);//
