# src/exec/reconvergence_stack.cpp
# Lanes that continued wait until the loop is over.
/^void next_trip/,/^}/ s/arrivals.take(frame.continuing);/static_cast<void>(frame);/
