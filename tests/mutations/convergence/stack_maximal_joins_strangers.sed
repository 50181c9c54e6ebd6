# src/runtime/exec/reconvergence_stack.cpp
# Under maximal, lanes that entered apart are joined.
s/join_as_entered(frame.header, arrivals, stack.tangles);/join_as_entered({{arrivals.lanes()}}, arrivals, stack.tangles);/
