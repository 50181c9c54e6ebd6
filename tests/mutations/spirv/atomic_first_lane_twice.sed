# src/shader/run/ops/atomic.cpp
# The first lane's part of an atomic by all lanes counts twice.
s/active.without(active.lowest())/active/
