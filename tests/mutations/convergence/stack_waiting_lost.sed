# src/exec/reconvergence_stack.cpp
# Lanes that wait for an Else that does not come, or for no case, never run again.
/^void leave(/,/^}/ s/move_behind(arrivals, frame.waiting);//
