#include "explore/comparison.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>

namespace lockstep::explore {
namespace {

std::vector<std::uint32_t> sorted_words(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  std::ranges::sort(words);
  return words;
}

/// Whether both ended early in the same way. After how many iterations a loop was given up, and which lanes were then
/// where, is not the shader's.
bool end_alike(const Result& a, const Result& b) {
  const auto [line, column, file] =
      std::tuple(a.endless.line, a.endless.column, std::string_view(a.endless.file));
  return a.error == b.error || (line != 0 && line == b.endless.line && column == b.endless.column &&
                                file == b.endless.file);
}

}  // namespace

Baseline::Baseline(const Result& first, const Request& request) : first_(first), request_(request) {
  for (const auto& bytes : first.buffers) words_.push_back(sorted_words(bytes));
}

Comparison Baseline::compare(const Result& now) const {
  Comparison found{{}, std::vector<bool>(first_.buffers.size())};
  if (!end_alike(now, first_)) {
    found.difference = Difference{0, 0, now.error.empty() ? first_.error : now.error};
    return found;
  }
  for (std::size_t b = 0; b < now.buffers.size(); ++b) {
    if (first_.buffers[b] == now.buffers[b]) continue;
    const auto at = first_difference(b, now.buffers[b]);
    if (!at) continue;
    const bool only_order = sorted_words(now.buffers[b]) == words_[b];
    if (only_order && is_unordered(b)) continue;
    found.only_order[b] = only_order;
    if (found.difference && (only_order || !found.difference->only_order)) continue;
    found.difference = Difference{b, *at, {}, only_order};
  }
  return found;
}

std::optional<std::uint64_t> Baseline::first_difference(std::size_t buffer,
                                                        std::span<const std::byte> now) const {
  if (request_.differs) return request_.differs(buffer, now);
  const auto at = std::ranges::mismatch(first_.buffers[buffer], now).in1;
  return static_cast<std::uint64_t>(at - first_.buffers[buffer].begin());
}

}  // namespace lockstep::explore
