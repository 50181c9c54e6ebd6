# include/lockstep/exec/transitions.hpp
# All lanes wait for the Else.
s/waiting = state.active.without(taken);/waiting = state.active;/
