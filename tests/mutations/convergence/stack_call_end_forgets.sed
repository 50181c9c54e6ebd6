# src/runtime/exec/reconvergence_stack.cpp
# Lanes that returned early do not run behind the call.
/^void end_call/,/^}/ s/stack.frames.back().arrived.take(stack.tangles);/stack.frames.back().arrived.clear();\n  &/
