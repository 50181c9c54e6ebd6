# src/dispatch/turns.cpp
# Subgroups that meet at one place count as apart.
/bool same_place/,/^  }/ s/return r.instance == /return r.instance != /
