# src/shader/run/branches.cpp
# A loop that some lanes leave counts as one that none leaves alone.
s/apart_.insert(around.begin(), around.end());//
