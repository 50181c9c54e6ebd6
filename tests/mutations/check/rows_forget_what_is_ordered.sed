# src/runtime/check/rows.cpp
# An access that happens before is forgotten, though the new one does not replace it.
s/return replaced \&\& all ? Fate::goes : Fate::stays;/return all ? Fate::goes : Fate::stays;/
