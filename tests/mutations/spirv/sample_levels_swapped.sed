# src/shader/run/ops/sample.cpp
# Between two levels, each has the weight of the other.
s/(1 - part) \* static_cast<double>(float_of(texel\[k\]))/part * static_cast<double>(float_of(texel[k]))/
s/ part \* static_cast<double>(float_of(low\[k\]))/ (1 - part) * static_cast<double>(float_of(low[k]))/
