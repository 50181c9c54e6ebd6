#include "explore/comparison.hpp"

#include <algorithm>
#include <cstring>

namespace lockstep::explore {
namespace {

std::vector<std::uint32_t> sorted_words(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  std::ranges::sort(words);
  return words;
}

}  // namespace

Reference::Reference(const Result& first, const std::vector<bool>& unordered)
    : first_(first), unordered_(unordered) {
  for (const auto& bytes : first.buffers) words_.push_back(sorted_words(bytes));
}

Comparison Reference::compare(const Result& now) const {
  Comparison found{{}, std::vector<bool>(first_.buffers.size())};
  if (now.error != first_.error) {
    found.difference = Difference{0, 0, now.error.empty() ? first_.error : now.error};
    return found;
  }
  for (std::size_t b = 0; b < now.buffers.size(); ++b) {
    if (first_.buffers[b] == now.buffers[b]) continue;
    const bool only_order = sorted_words(now.buffers[b]) == words_[b];
    if (only_order && is_unordered(b)) continue;
    found.only_order[b] = only_order;
    if (found.difference && (only_order || !found.difference->only_order)) continue;
    const auto at = std::ranges::mismatch(first_.buffers[b], now.buffers[b]).in1;
    found.difference =
        Difference{b, static_cast<std::uint64_t>(at - first_.buffers[b].begin()), {}, only_order};
  }
  return found;
}

}  // namespace lockstep::explore
