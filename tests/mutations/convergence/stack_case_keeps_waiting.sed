# src/runtime/exec/reconvergence_stack.cpp
# Lanes that entered a case wait for the next one, too.
/^bool enter_case/,/^}/ s/split(frame.waiting, others, matched, whole);/Tangles both = frame.waiting;\n  split(both, others, matched, whole);/
