# include/lockstep/checked/detail/built_ins.hpp
# An undefined lane decides a vote.
s/(deciding & active)\.without(mine\.lanes)\.any_lane()/(deciding \& active).any_lane()/
