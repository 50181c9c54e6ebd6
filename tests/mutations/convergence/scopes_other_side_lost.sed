# include/lockstep/exec/scopes.hpp
# Lanes of the first side never run again where an Else follows.
/close_other_side(State/,/^}/ s/if (entered.any) leave(state, entered.waiting);//
