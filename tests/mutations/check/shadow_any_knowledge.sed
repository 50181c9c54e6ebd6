# src/runtime/check/shadow.hpp
# An atomic is judged by what another subgroup knows, which may know more.
s/if (knowledge_ != knowledge ||/if (knowledge_ == 0 ||/
