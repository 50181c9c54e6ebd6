# src/runtime/check/races.cpp
# An invocation races with itself.
s/if (other.who == end.who) return;//
