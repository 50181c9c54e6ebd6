# src/runtime/exec/reconvergence_stack.cpp
# Lanes that wait for an Else that does not come, or for no case, never run again.
/^void leave(/,/^}/ s/frame.arrived.take(frame.waiting);//
