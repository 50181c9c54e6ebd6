# include/lockstep/checked/detail/lanes.hpp
# Of an operator only the left operand counts.
s/a\.value_ op b\.value_, a\.poison_ | b\.poison_/a.value_ op b.value_, a.poison_/
