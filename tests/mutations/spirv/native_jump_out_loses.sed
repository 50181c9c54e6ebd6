# src/shader/native/emit_flow.cpp
# Variables of lanes that leave a loop together are lost.
/^void Emitter::emit_exit_of_all/,/^}/{/merge_own/d}
