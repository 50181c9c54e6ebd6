# include/lockstep/exec/scopes.hpp
# Default takes the lanes that have a case further on.
s/~labelled_/M::all()/
