#pragma once

#include <cstdint>
#include <vector>

#include "lessons/lesson.hpp"

/// \file
/// What the exercises must give, by loops over invocations.

namespace lockstep::lessons::expected {

using Numbers = std::vector<std::uint32_t>;

Numbers active_even(const Input& input);
Numbers last_of_subgroup(const Input& input);
Numbers sum_of_halvings(const Input& input);
Numbers vote_on_even(const Input& input);
Numbers compacted(const Input& input);
Numbers sum_of_lanes_above(const Input& input);
Numbers differences(const Input& input);
Numbers sums_of_four(const Input& input);
Numbers sums_in_workgroup(const Input& input);
Numbers even_values(const Input& input);
Numbers even_values_of_odd_subgroups(const Input& input);
Numbers lanes_of_same_remainder(const Input& input);
Numbers means(const Input& input);
Numbers ranks(const Input& input);
Numbers reversed(const Input& input);
Numbers compacted_in_workgroup(const Input& input);

}  // namespace lockstep::lessons::expected
