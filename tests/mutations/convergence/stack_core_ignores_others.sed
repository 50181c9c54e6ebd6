# src/runtime/exec/reconvergence_stack.cpp
# Subgroups do not ask the others of their workgroup.
s/stack.meeting == nullptr ? vote/stack.meeting != this_is_nobody ? vote/; s/^constexpr std::uint32_t vote_no = 2;/&\nconst Meeting* const this_is_nobody = reinterpret_cast<const Meeting*>(8);/
