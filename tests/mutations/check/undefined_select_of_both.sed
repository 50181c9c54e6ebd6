# src/shader/instruments/undefined/undefined_values.cpp
# A selection is undefined if the operand that it drops is.
s/a == b ? a : shadows_.select(op.src\[0\], a, b)/shadows_.joined(a, b)/
