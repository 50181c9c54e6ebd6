# src/shader/native/emitter.cpp
# A value is dead one instruction before its last use.
s/ends\[last_uses_\].inst <= k;/ends[last_uses_].inst <= k + 1;/
