# src/check/races.cpp
# A subgroup is known as well as the best known of its lanes.
s/if (old.clock <= range.least) return lanes;/if (old.clock <= range.greatest) return lanes;/
