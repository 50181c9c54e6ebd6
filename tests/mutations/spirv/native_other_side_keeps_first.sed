# src/shader/native/transitions.cpp
# Lanes that take a selection's other side also wait for its end.
s/as_.andn(rax, rdx, ptr\[rbx + layout::active\]);/as_.mov(rax, ptr[rbx + layout::active]);/
