# src/shader/run/ops/cube.cpp
# Beyond an edge of a cube, the neighbour's texels are those one further in.
s/face\.sign \* (n - 1);/face.sign * (n - 3);/
