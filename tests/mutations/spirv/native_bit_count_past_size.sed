# src/shader/native/emit_subgroup.cpp
# Bits past the subgroup are counted.
/if (program_.size < 32)/d
