# src/shader/lower/flow.cpp
# Phis of a block see the new values of the phis before them.
s/if (to == value || written.count(value) == 0) continue;/continue;/
