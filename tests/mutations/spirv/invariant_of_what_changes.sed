# src/shader/ir/repeated_values.cpp
# What a loop computes from variables that it writes is computed before it.
s/first == writes_\[r\].end() || \*first > end/first == writes_[r].end() || *first >= begin/
