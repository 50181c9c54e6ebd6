# src/exec/reconvergence_stack.cpp
# Lanes that entered a case wait for the next one, too.
/^bool enter_case/,/^}/ s/frame.waiting = std::move(sides.others);//
