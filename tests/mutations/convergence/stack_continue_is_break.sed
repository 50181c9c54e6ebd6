# src/runtime/exec/reconvergence_stack.cpp
# Continue leaves the loop.
/^void leave_trip/,/^}/ s/frame->continuing/frame->arrived/
