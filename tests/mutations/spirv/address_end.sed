# src/shader/run/ops/memory.cpp
# An address may name the number behind the object's last.
s/const Chunk<U64> last(object.size - bytes);/const Chunk<U64> last(object.size - bytes + 4);/
