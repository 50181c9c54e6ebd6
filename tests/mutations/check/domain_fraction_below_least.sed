# src/shader/instruments/undefined/undefined_results.cpp
# A fraction above the least number minus one cannot be converted.
s/number(op_.from, least - 1)/number(op_.from, least)/
