# src/exec/reconvergence_stack.cpp
# Jumps go to the outermost loop, switch or function.
s/stack\.frames\.rbegin()/stack.frames.begin()/; s/stack\.frames\.rend()/stack.frames.end()/g
