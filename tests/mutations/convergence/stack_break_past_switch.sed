# src/runtime/exec/reconvergence_stack.cpp
# Break leaves the loop around the switch.
s/f.kind == Frame::Kind::loop || f.kind == Frame::Kind::switch_statement/f.kind == Frame::Kind::loop/
