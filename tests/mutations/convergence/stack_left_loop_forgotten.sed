# src/runtime/exec/reconvergence_stack.cpp
# Lanes that left a loop never run again.
/^void exit_loop/,/^}/ s/frame.arrived.take(frame.continuing);/frame.arrived.clear();\n  &/
