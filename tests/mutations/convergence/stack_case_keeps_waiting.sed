# src/runtime/exec/reconvergence_stack.cpp
# Lanes that entered a case wait for the next one, too.
/^bool enter_case/,/^}/ s/split(stack, frame.waiting, others, matched, where);/Tangles both = frame.waiting;\n  split(stack, both, others, matched, where);/
