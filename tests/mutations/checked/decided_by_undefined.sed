# include/lockstep/checked/detail/lanes.hpp
# An undefined operand decides a product.
s/return a\.without(b_decides\.without(b\.lanes)) | b\.without(a_decides\.without(a\.lanes))/return a.without(b_decides) | b.without(a_decides)/
