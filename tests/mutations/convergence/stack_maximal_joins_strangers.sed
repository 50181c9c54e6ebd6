# src/exec/reconvergence_stack.cpp
# Under maximal, lanes that entered apart are joined.
s/stack.tangles = joined_as_entered(frame.header, arrivals);/stack.tangles = joined_as_entered({make_tangle(arrivals.lanes())}, arrivals);/
