# include/lockstep/exec/transitions.hpp
# Lanes that fall through never run again.
s/state.active = state.active | (entered.waiting \& matching);/state.active = entered.waiting \& matching;/
