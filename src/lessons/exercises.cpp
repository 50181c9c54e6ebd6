#include "lessons/exercises.hpp"

#include <algorithm>

namespace lockstep::lessons::expected {
namespace {

/// Calls f(first, end) for the invocations of each subgroup, and with number its gl_SubgroupID.
template <class F>
void for_each_subgroup(const Input& input, F&& f) {
  const std::size_t all = input.values.size();
  for (std::size_t group = 0; group < all; group += input.local) {
    std::size_t number = 0;
    for (std::size_t first = group; first < group + input.local; first += input.size)
      f(first, std::min(first + input.size, group + input.local), number++);
  }
}

/// A result for each invocation, from its subgroup: f(first, end, own).
template <class F>
Numbers by_subgroup(const Input& input, F&& f) {
  Numbers result(input.values.size(), untouched);
  for_each_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t) {
    for (std::size_t i = first; i < end; ++i) result[i] = f(first, end, i);
  });
  return result;
}

std::uint32_t is_even(std::uint32_t value) { return value % 2 == 0 ? 1 : 0; }

}  // namespace

Numbers active_even(const Input& input) {
  const Numbers& v = input.values;
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t own) {
    std::uint32_t count = 0;
    for (std::size_t i = first; i < end; ++i) count += is_even(v[i]);
    return is_even(v[own]) != 0 ? count : 0;
  });
}

Numbers last_of_subgroup(const Input& input) {
  return by_subgroup(
      input, [&](std::size_t, std::size_t end, std::size_t) { return input.values[end - 1]; });
}

Numbers sum_of_halvings(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t) {
    std::uint32_t sum = 0;
    for (std::size_t i = first; i < end; ++i)
      for (std::uint32_t v = input.values[i]; v != 0 && v % 2 == 0; v /= 2) ++sum;
    return sum;
  });
}

Numbers vote_on_even(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t) {
    std::uint32_t count = 0;
    for (std::size_t i = first; i < end; ++i) count += is_even(input.values[i]);
    return count == 0 ? 0u : count == end - first ? 2u : 1u;
  });
}

Numbers compacted(const Input& input) {
  Numbers result(input.values.size(), untouched);
  for_each_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t) {
    std::size_t to = first;
    for (std::size_t i = first; i < end; ++i)
      if (is_even(input.values[i]) != 0) result[to++] = input.values[i];
  });
  return result;
}

Numbers sum_of_lanes_above(const Input& input) {
  return by_subgroup(input, [&](std::size_t, std::size_t end, std::size_t own) {
    std::uint32_t sum = 0;
    for (std::size_t i = own + 1; i < end; ++i) sum += input.values[i];
    return sum;
  });
}

Numbers differences(const Input& input) {
  const Numbers& v = input.values;
  return by_subgroup(input, [&](std::size_t first, std::size_t, std::size_t own) {
    return own == first ? v[own] : v[own] - v[own - 1];
  });
}

Numbers sums_of_four(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t own) {
    const std::size_t from = first + (own - first) / 4 * 4;
    std::uint32_t sum = 0;
    for (std::size_t i = from; i < std::min(from + 4, end); ++i) sum += input.values[i];
    return sum;
  });
}

Numbers sums_in_workgroup(const Input& input) {
  Numbers result;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    sum = i % input.local == 0 ? input.values[i] : sum + input.values[i];
    result.push_back(sum);
  }
  return result;
}

Numbers even_values(const Input& input) {
  Numbers result;
  for (const std::uint32_t value : input.values)
    if (is_even(value) != 0) result.push_back(value);
  return result;
}

Numbers even_values_of_odd_subgroups(const Input& input) {
  Numbers result;
  for_each_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t number) {
    for (std::size_t i = first; i < end; ++i)
      if (number % 2 == 1 && is_even(input.values[i]) != 0) result.push_back(input.values[i]);
  });
  return result;
}

Numbers lanes_of_same_remainder(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t own) {
    std::uint32_t count = 0;
    for (std::size_t i = first; i < end; ++i)
      count += input.values[i] % 4 == input.values[own] % 4 ? 1 : 0;
    return count;
  });
}

Numbers means(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t) {
    std::uint32_t sum = 0, count = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (is_even(input.values[i]) == 0) continue;
      sum += input.values[i];
      ++count;
    }
    return count == 0 ? 0 : sum / count;
  });
}

Numbers ranks(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t own) {
    std::uint32_t rank = 0;
    for (std::size_t i = first; i < end; ++i) rank += input.values[i] < input.values[own] ? 1 : 0;
    return rank;
  });
}

Numbers reversed(const Input& input) {
  return by_subgroup(input, [&](std::size_t first, std::size_t end, std::size_t own) {
    return input.values[end - 1 - (own - first)];
  });
}

Numbers compacted_in_workgroup(const Input& input) {
  Input whole = input;
  whole.size = input.local;
  return compacted(whole);
}

}  // namespace lockstep::lessons::expected
