# src/spirv/native/emit_subgroup.cpp
# An exclusive count includes the own lane.
s/own = rule.code == Code::ballot_inclusive_bit_count ? 1 : 0/own = 1/
