# src/shader/ir/discarded_loads.cpp
# A value with several uses is needed in the lanes of one of them only.
s/    where = std::move(common);/    where = common.empty() ? where : common;/
