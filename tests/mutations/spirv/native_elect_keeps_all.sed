# src/shader/native/transitions.cpp
# All lanes enter the selection of an elected one.
s/as_.mov(ptr\[rbx + layout::active\], rcx);//
