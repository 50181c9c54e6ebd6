#include "io/similar.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockstep::io {
namespace {

/// How many letters must be inserted, removed, replaced or exchanged with the next one.
std::size_t edits(std::string_view one, std::string_view other) {
  // Rows of the table of edits between the first letters of both: the last but one, the last, and the one being made.
  std::vector<std::size_t> before(other.size() + 1), last(other.size() + 1), row(other.size() + 1);
  for (std::size_t k = 0; k <= other.size(); ++k) last[k] = k;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= other.size(); ++k) {
      const std::size_t replaced = last[k - 1] + (one[i - 1] == other[k - 1] ? 0 : 1);
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, replaced});
      if (i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1])
        row[k] = std::min(row[k], before[k - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[other.size()];
}

}  // namespace

std::string most_similar(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = word.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t count = edits(word, candidate);
    if (count >= fewest) continue;
    fewest = count;
    best = candidate;
  }
  return best;
}

}  // namespace lockstep::io
