# src/runtime/check/rows.cpp
# Lanes that are missing from a row touch their words all the same.
s/(now_.packed || is_without_gaps(now_.lanes))) {/now_.lanes.any_lane()) {/
