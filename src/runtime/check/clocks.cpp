#include "runtime/check/clocks.hpp"

#include <algorithm>

namespace lockstep::detectors {
namespace {

using Clocks = std::vector<Clock>;
using Shared = std::shared_ptr<const Clocks>;

bool within(const Clocks& a, const Clocks& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] > (k < b.size() ? b[k] : 0)) return false;
  return true;
}

/// The larger of both clocks of each invocation; one of the two itself if it is that.
Shared joined(const Shared& a, const Shared& b) {
  if (a == b || within(*b, *a)) return a;
  if (within(*a, *b)) return b;
  Clocks both = a->size() >= b->size() ? *a : *b;
  const Clocks& less = a->size() >= b->size() ? *b : *a;
  for (std::size_t k = 0; k < less.size(); ++k) both[k] = std::max(both[k], less[k]);
  return std::make_shared<const Clocks>(std::move(both));
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
  if (known_ == other.known_ || other.known_ == nullptr) return;
  if (known_ == nullptr) {
    known_ = other.known_;
    return;
  }
  Known all;
  bool all_mine = true, all_other = true;
  auto a = known_->begin(), b = other.known_->begin();
  while (a != known_->end() || b != other.known_->end()) {
    if (b == other.known_->end() || (a != known_->end() && a->first < b->first)) {
      all.push_back(*a++);
      all_other = false;
    } else if (a == known_->end() || b->first < a->first) {
      all.push_back(*b++);
      all_mine = false;
    } else {
      all.emplace_back(a->first, joined(a->second, b->second));
      all_mine = all_mine && all.back().second == a->second;
      all_other = all_other && all.back().second == b->second;
      ++a, ++b;
    }
  }
  if (all_mine) return;
  known_ = all_other ? other.known_ : std::make_shared<const Known>(std::move(all));
}

void Knowledge::add(std::uint32_t workgroup,
                    const std::vector<std::pair<std::uint32_t, Clock>>& clocks) {
  if (clocks.empty()) return;
  Known all = known_ == nullptr ? Known() : *known_;
  auto place = std::ranges::lower_bound(all, workgroup, {}, &Known::value_type::first);
  if (place == all.end() || place->first != workgroup)
    place = all.emplace(place, workgroup, std::make_shared<const Clocks>());
  Clocks mine = *place->second;
  for (const auto& [invocation, clock] : clocks) {
    if (invocation >= mine.size()) mine.resize(invocation + 1);
    mine[invocation] = std::max(mine[invocation], clock);
  }
  place->second = std::make_shared<const Clocks>(std::move(mine));
  known_ = std::make_shared<const Known>(std::move(all));
}

}  // namespace lockstep::detectors
