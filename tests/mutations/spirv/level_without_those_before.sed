# src/shader/run/ops/image.cpp
# Texels of a smaller level are fetched from the first.
s/U32 number = static_cast<U32>(levels\.before(level)), before = 1;/U32 number = 0, before = 1;/
