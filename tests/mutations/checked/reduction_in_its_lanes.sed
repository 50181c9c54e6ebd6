# include/lockstep/checked/detail/built_ins.hpp
# The result of a reduction is undefined in undefined lanes only.
s/return {Mask<W>::all(),$/return {mine.lanes,/
