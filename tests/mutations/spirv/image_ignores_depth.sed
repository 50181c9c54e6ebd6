# src/shader/run/ops/image.cpp
# A texel's slice is not compared with the number of slices.
s/inside = inside & (at < Uints(size\[d\])).mask();/if (d < 2) inside = inside \& (at < Uints(size[d])).mask();/
