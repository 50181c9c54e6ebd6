# include/lockstep/exec/scopes.hpp
# The Else runs for the lanes of an older If.
s/  state.otherwise = entered.waiting;/  if (entered.any) state.otherwise = entered.waiting;/
