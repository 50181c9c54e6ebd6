# src/runtime/exec/reconvergence_stack.cpp
# A subgroup that is back counts for its whole workgroup.
/^bool keeps_promise/,/^}/ s/return meet(stack, where, everyone ? vote_yes : vote_no) == vote_yes;/return everyone;/
