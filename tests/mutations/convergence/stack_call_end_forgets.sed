# src/exec/reconvergence_stack.cpp
# Lanes that returned early do not run behind the call.
/^void end_call/,/^}/ s/std::exchange(stack.frames.back().arrived, {})/Tangles()/
