# src/shader/instruments/undefined/undefined_values.cpp
# Zero times an undefined value is undefined.
s|return can_decide(op) ? shadow_of_absorbed(op) : shadows_.of_all(op.src);|return shadows_.of_all(op.src);|
