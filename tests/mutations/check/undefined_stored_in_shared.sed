# src/spirv/ir/undefined_values.cpp
# Storing an undefined value in shared memory is reported.
s/if (!is_shared(op))$/if (true)/
