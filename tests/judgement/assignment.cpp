#include "judgement/assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

/// \file
/// Assignments of units to slots and of links to a row, compared with trying all.

namespace {

using namespace lockstep::judgement;

using Slots = std::vector<std::vector<SlotOption>>;
using Links = std::vector<std::vector<LinkOption>>;

/// Whether units from `u` on can take slots that nothing contradicts.
bool can_take(const Slots& units, const std::vector<bool>& required, std::vector<bool> taken,
              std::size_t u) {
  if (u == units.size()) {
    for (std::size_t s = 0; s < taken.size(); ++s)
      if (required[s] && !taken[s]) return false;
    return true;
  }
  return std::ranges::any_of(units[u], [&](const SlotOption& option) {
    if (option.misses > 0 || (option.slot != nothing && taken[option.slot])) return false;
    std::vector<bool> now = taken;
    if (option.slot != nothing) now[option.slot] = true;
    return can_take(units, required, now, u + 1);
  });
}

/// Whether some order of the units is a row.
bool can_follow(const Links& units, std::uint64_t first, std::uint64_t last) {
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<std::uint64_t> at{first};
    for (const std::size_t u : order) {
      std::vector<std::uint64_t> next;
      for (const LinkOption& option : units[u]) {
        if (option.misses == 0 && std::ranges::find(at, option.from) != at.end())
          next.push_back(option.to);
      }
      at = next;
    }
    if (std::ranges::find(at, last) != at.end()) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

}  // namespace

TEST_CASE("units take slots that nothing contradicts, wherever that is possible") {
  std::mt19937 random(5);
  std::size_t fitting = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::size_t count = 1 + random() % 5;
    std::vector<bool> required(count);
    for (std::size_t s = 0; s < count; ++s) required[s] = random() % 3 == 0;
    Slots units(1 + random() % 5);
    for (auto& options : units) {
      for (std::size_t k = 1 + random() % 3; k > 0; --k)
        options.push_back({random() % 4 == 0 ? nothing : random() % count, random() % 4 / 3});
    }
    const Assigned assigned = take_slots(units, required);
    CHECK(assigned.fits == can_take(units, required, std::vector<bool>(count), 0));
    fitting += assigned.fits ? 1 : 0;
    std::vector<bool> taken(count);
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (assigned.option[u] == nothing) continue;
      const auto [slot, misses] = units[u][assigned.option[u]];
      CHECK_FALSE((assigned.fits && misses > 0));
      if (slot == nothing) continue;
      CHECK_FALSE(taken[slot]);
      taken[slot] = true;
    }
  }
  CHECK(fitting > 300);
  CHECK(fitting < 1700);
}

TEST_CASE("links make a row, wherever that is possible") {
  std::mt19937 random(6);
  std::size_t fitting = 0;
  for (int n = 0; n < 1000; ++n) {
    Links units(1 + random() % 5);
    // Half of them are a row in some order, with other options beside it.
    std::uint64_t at = 0;
    std::uint64_t last = random() % 4;
    for (auto& options : units) {
      const std::uint64_t to = random() % 4;
      if (n % 2 == 0) options.push_back({at, to, 0});
      for (std::size_t k = random() % 3; k > 0; --k)
        options.push_back({random() % 4, random() % 4, random() % 2});
      at = to;
    }
    if (n % 2 == 0) last = at;
    std::shuffle(units.begin(), units.end(), random);
    const Assigned assigned = follow_links(units, 0, last);
    CHECK(assigned.is_proven);
    CHECK(assigned.fits == can_follow(units, 0, last));
    fitting += assigned.fits ? 1 : 0;
    if (assigned.fits) CHECK(assigned.last == last);
  }
  CHECK(fitting >= 500);
  CHECK(fitting < 950);
}

TEST_CASE("what contradicts the least is taken where nothing fits") {
  // The second and the third unit want the same slot.
  const Slots units{{{0, 0}}, {{1, 0}, {2, 1}}, {{1, 0}, {2, 3}}};
  const Assigned slots = take_slots(units, std::vector<bool>(3));
  CHECK_FALSE(slots.fits);
  CHECK(slots.option == std::vector<std::size_t>{0, 0, 1});
  // 0 -> 5 -> 7, and a unit that should come after 9, which none leaves.
  const Links links{{{0, 5, 0}}, {{5, 7, 0}}, {{9, 3, 0}, {7, 3, 1}}};
  const Assigned row = follow_links(links, 0, {});
  CHECK_FALSE(row.fits);
  CHECK(row.option == std::vector<std::size_t>{0, 0, 1});
  CHECK(row.last == 3);
}
