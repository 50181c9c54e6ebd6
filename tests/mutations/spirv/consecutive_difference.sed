# src/shader/ir/consecutive.cpp
# A uniform number minus the lane counts as consecutive.
s/found = lanes(0) \&\& one(1);/found = (lanes(0) \&\& one(1)) || (one(0) \&\& lanes(1));/
