# src/exec/reconvergence_stack.cpp
# Jumps go to the outermost loop, switch or function.
/^Frame\* innermost/,/^}/ { s/frames\.rbegin()/frames.begin()/; s/frames\.rend()/frames.end()/g; }
