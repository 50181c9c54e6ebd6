# src/runtime/exec/reconvergence_stack.cpp
# Lanes that fall through never run again.
/^bool enter_case/,/^}/ s/std::exchange(stack.tangles, {}), where/(stack.tangles.clear(), Tangles()), where/
