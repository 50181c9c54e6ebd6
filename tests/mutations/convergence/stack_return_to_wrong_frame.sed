# src/runtime/exec/reconvergence_stack.cpp
# Lanes that return go on behind the innermost construct.
/^void retire/,/^}/ s/return f.kind == Frame::Kind::call;/return f.kind != Frame::Kind::loop;/
