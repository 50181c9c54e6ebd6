# src/runtime/exec/reconvergence_stack.cpp
# Under maximal, only merges rejoin: not continue constructs and ends of functions.
s/if (rule_of(stack) == Rule::maximal) {/if (rule_of(stack) == Rule::maximal \&\& place == Place::merge) {/
