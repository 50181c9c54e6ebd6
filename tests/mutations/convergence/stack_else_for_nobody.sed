# src/exec/reconvergence_stack.cpp
# The other side of a selection runs for nobody.
/^bool flip/,/^}/ s/std::exchange(frame.waiting, {})/Tangles()/
