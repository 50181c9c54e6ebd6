# include/lockstep/exec/scopes.hpp
# Lanes that continued do not make the test of a do-while loop.
/void test_last/,/^  }/ s/next_trip(state_);//
