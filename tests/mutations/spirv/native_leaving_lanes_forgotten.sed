# src/shader/native/transitions.cpp
# Lanes that leave a loop never come back.
s/as_.or_(ptr\[rbx + layout::broken\], lanes);//
