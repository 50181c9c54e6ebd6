# src/shader/ir/discarded_loads.cpp
# Both values of ?: are needed where its condition holds.
s/need(op.src\[2\], with(here, {op.src\[0\], false}));/need(op.src[2], with(here, {op.src[0], true}));/
