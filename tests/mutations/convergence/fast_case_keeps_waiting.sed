# include/lockstep/exec/transitions.hpp
# Lanes that entered a case wait for the end of the switch, too.
s/entered.waiting = entered.waiting.without(matching);//
