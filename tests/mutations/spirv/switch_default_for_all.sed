# src/shader/run/ops/flow.cpp
# A switch's default also takes the lanes of its cases.
s/return args.other ? ~matching : matching;/return args.other ? Mask<128>::all() : matching;/
