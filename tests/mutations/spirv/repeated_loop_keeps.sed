# src/shader/ir/repeated_values.cpp
# What a loop writes is known in it as before it.
s/visit_results(ir_.ops\[k\], \[&\](Reg r) { ++writes_\[r\]; });/(void)k;/
