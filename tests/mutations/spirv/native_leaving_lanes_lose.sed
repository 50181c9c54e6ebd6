# src/shader/native/emit_flow.cpp
# Lanes that leave a loop keep the values from before it.
s/merge_own(\*code.loop, rcx, true);//
