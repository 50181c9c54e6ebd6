# include/lockstep/exec/transitions.hpp
# Lanes that left the loop around come back behind a switch.
/Switching<W> enter_switch/,/^}/ s/state.broken = Mask<W>::none();//
