# src/shader/native/emit_subgroup.cpp
# An exclusive count includes the own lane.
s|Code::ballot_inclusive_bit_count ? 1|Code::ballot_exclusive_bit_count ? 1|
