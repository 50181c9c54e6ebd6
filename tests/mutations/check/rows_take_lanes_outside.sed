# src/runtime/check/rows.cpp
# Lanes that access nothing are in the row of the others.
s/const LaneSet others = otherwise | left.without(byte.row());/const LaneSet others = otherwise;/
