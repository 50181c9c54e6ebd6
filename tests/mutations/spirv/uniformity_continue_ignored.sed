# src/shader/ir/uniformity.cpp
# Lanes that continue do not make the rest of the iteration divergent.
/case Code::leave_trip:/d
