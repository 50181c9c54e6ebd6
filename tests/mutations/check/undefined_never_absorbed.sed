# src/spirv/ir/undefined_values.cpp
# Zero times an undefined value is undefined.
s/return shadow_of_absorbed(op);/break;/
