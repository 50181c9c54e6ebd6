# src/runtime/check/shadow.hpp
# Any access is taken for the one that was settled.
s/if (settled_ == most || !touches_\[settled_\].is_same(touch)) return false;/if (settled_ == most) return false;/
