# src/exec/reconvergence_stack.cpp
# Lanes of the first side never run again.
/^void leave(/,/^}/ s/std::exchange(frame.arrived, {})/Tangles()/
