# src/runtime/check/shadow.hpp
# An access to some bytes of a word replaces one to others.
s/if ((old.bytes \& ~now.bytes) != 0) return false;//
