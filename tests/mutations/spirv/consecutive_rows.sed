# src/shader/ir/consecutive.cpp
# The x of a workgroup of several rows counts as consecutive.
s/const bool one_row = .*;/const bool one_row = true;/
