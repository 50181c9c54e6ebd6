# src/runtime/exec/reconvergence_stack.cpp
# Jumps go to the outermost loop, switch or function.
/^Frame\* innermost/,/^}/ { s/frames.end(); frame != stack.frames.begin();/frames.begin(); frame != stack.frames.end(); ++frame/; s/\*--frame/*frame/; }
