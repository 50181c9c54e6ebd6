# include/lockstep/exec/transitions.hpp
# Lanes that match no case never run again.
s/state.active | state.broken | entered.waiting/state.active | state.broken/
