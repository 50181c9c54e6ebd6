# src/shader/instruments/undefined/undefined_results.cpp
# A shift by the width is in range.
s/return emit_(Code::less_equal, type, {constants_.of(ir_, type, bits(type)), operand(1)});/return emit_(Code::less, type, {constants_.of(ir_, type, bits(type)), operand(1)});/
