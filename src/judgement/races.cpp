#include "judgement/races.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>

#include "judgement/limits.hpp"

namespace lockstep::judgement {
namespace {

constexpr Checks race_checks{
    Check::data_race,    Check::lockstep_exchange, Check::barrier_orders_shared_only,
    Check::atomic_mixed, Check::atomic_scope,      Check::not_coherent};

/// A place in the source, and what is accessed there.
struct Site {
  SourceLocation where;
  MemoryObject object;

  /// Blocks of other names may share a binding.
  bool is(const Site& other) const {
    const MemoryObject &a = object, &b = other.object;
    return where.line == other.where.line && a.kind == b.kind && a.set == b.set &&
           a.binding == b.binding && a.element == b.element && a.address == b.address &&
           std::string_view(where.file) == other.where.file;
  }
};

/// Where watched places are accessed, and whether more than one invocation does.
class Accesses : public Observer {
 public:
  struct TooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  explicit Accesses(std::chrono::seconds limit) : end_(std::chrono::steady_clock::now() + limit) {}

  /// Watches bytes that no others that are watched overlap.
  void watch(const std::byte* at, std::size_t bytes) { watched_.push_back({at, bytes}); }
  /// Before the run.
  void start() { std::ranges::sort(watched_, std::less<>(), &Watched::at); }

  void on(const Event& event) override {
    constexpr std::uint64_t events_between_looks = 4096;
    if (++events_ % events_between_looks == 0 && std::chrono::steady_clock::now() > end_)
      throw TooLong("finding races takes too long");
    const Access& access = event.access;
    has_atomics_ = has_atomics_ || event.kind == Event::Kind::atomic;
    if (event.kind == Event::Kind::trip || access.data == nullptr) return;
    for_each_lane(event.others, [&](int lane) {
      const std::uint64_t first = access.byte[static_cast<std::size_t>(lane)];
      if (first == Access::outside) return;
      for (std::uint32_t k = 0; k < access.count; ++k)
        note(event, lane, access.data + first + std::uint64_t{k} * access.step, access.bytes);
    });
  }
  Interest interest() const override {
    return {{Event::Kind::read, Event::Kind::write, Event::Kind::atomic, Event::Kind::trip},
            false,
            false};
  }

  bool has_atomics() const { return has_atomics_; }

  /// Whether the bytes at an address are accessed at both sites, by more than one invocation.
  bool are_of(const std::byte* at, const Site& one, const Site& other) const {
    const auto seen = std::ranges::lower_bound(watched_, at, std::less<>(), &Watched::at);
    const auto has = [&](const Site& site) {
      return std::ranges::any_of(seen->sites, [&](const Site& s) { return s.is(site); });
    };
    return seen != watched_.end() && seen->several && has(one) && has(other);
  }

 private:
  using Invocation = std::tuple<std::array<std::uint32_t, 3>, std::uint32_t, int>;
  struct Watched {
    const std::byte* at;
    std::size_t bytes;
    std::optional<Invocation> first = {};
    bool several = false;
    std::vector<Site> sites = {};
  };

  void note(const Event& event, int lane, const std::byte* at, std::size_t bytes) {
    const Invocation invocation{event.workgroup, event.subgroup, lane};
    const auto ends_before = [&](const Watched& w) {
      return std::less_equal<>()(w.at + w.bytes, at);
    };
    auto seen = std::partition_point(watched_.begin(), watched_.end(), ends_before);
    for (; seen != watched_.end() && std::less<>()(seen->at, at + bytes); ++seen) {
      if (!seen->first) seen->first = invocation;
      seen->several = seen->several || *seen->first != invocation;
      const Site site{event.where, event.access.object};
      const auto is_site = [&](const Site& s) { return s.is(site); };
      if (std::ranges::none_of(seen->sites, is_site)) seen->sites.push_back(site);
    }
  }

  std::chrono::steady_clock::time_point end_;
  std::uint64_t events_ = 0;
  bool has_atomics_ = false;
  std::vector<Watched> watched_;
};

/// "a.comp:7 and a.comp:9 access it without an order [data-race]".
std::string text_of(const Finding& race, std::string_view what) {
  const std::string here = fmt::format("{}:{}", race.where.file, race.where.line);
  const std::string there = fmt::format("{}:{}", race.other->where.file, race.other->where.line);
  if (here == there)
    return fmt::format("several invocations access {} in {} without an order [{}]", what, here,
                       race.rule);
  return fmt::format("{} and {} access {} without an order [{}]", there, here, what, race.rule);
}

class RaceSearch {
 public:
  RaceSearch(const Rerun& rerun, const std::vector<Place>& places)
      : rerun_(rerun), places_(places), found_(places.size()) {}

  Races run() {
    if (!run_checked()) return {.of = found_};
    if (races_.empty()) return {.of = found_, .none = !has_atomics_};
    run_in_other_orders();
    return {.of = found_, .any = true};
  }

 private:
  static constexpr std::chrono::seconds limit{20};
  static constexpr std::uint64_t random_runs = 8;

  const std::byte* address(const Contents& contents, const Place& place) const {
    return rerun_.address(contents, place.part) + place.byte;
  }

  /// Finds the races of the run, and those that access a place itself.
  bool run_checked() {
    first_ = rerun_.inputs();
    Accesses accesses(limit);
    for (const Place& place : places_)
      accesses.watch(address(first_, place), io::bytes_of(place.type));
    accesses.start();
    const Convergence convergence{
        .rule = rerun_.rule(), .chooser = nullptr, .observer = &accesses, .max_trips = most_steps};
    Dispatch how = plain_dispatch();
    how.convergence = &convergence;
    how.max_steps = most_steps;
    how.checks = race_checks;
    try {
      const ShaderRun run = rerun_.run(first_, how);
      for (const Finding& finding : run.findings.findings()) {
        if (finding.other) races_.push_back(finding);
      }
    } catch (const Accesses::TooLong&) {
      return false;
    } catch (const Error&) {
      return false;
    }
    has_atomics_ = accesses.has_atomics();
    for (const Finding& race : races_) {
      const Site one{race.where, race.access.object}, other{race.other->where, race.access.object};
      for (std::size_t k = 0; k < places_.size(); ++k) {
        const bool is_raced = accesses.are_of(address(first_, places_[k]), one, other);
        if (!found_[k] && is_raced) found_[k] = text_of(race, "it");
      }
    }
    return true;
  }

  /// What a race reaches through other memory changes with the order in which invocations run.
  void run_in_other_orders() {
    const Choice orders[] = {Choice::subgroup_order, Choice::side_order};
    for (std::uint64_t seed = 0; seed <= random_runs; ++seed) {
      if (std::ranges::all_of(found_, [](const auto& text) { return text.has_value(); })) return;
      Chooser chooser = (seed == 0 ? Chooser::rejoin_none() : Chooser::random(seed)).only(orders);
      const Convergence convergence{
          .rule = rerun_.rule(), .chooser = &chooser, .observer = nullptr, .max_trips = most_steps};
      Dispatch how = plain_dispatch();
      how.convergence = &convergence;
      how.max_steps = most_steps;
      how.order = seed == 0 ? WorkgroupOrder::reversed() : WorkgroupOrder::shuffled(seed);
      Contents contents = rerun_.inputs();
      try {
        rerun_.run(contents, how);
      } catch (const Error&) {
        continue;
      }
      note_changed(contents);
    }
  }
  void note_changed(const Contents& contents) {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Place& place = places_[k];
      if (!found_[k] &&
          std::memcmp(contents[place.part].data() + place.byte,
                      first_[place.part].data() + place.byte, io::bytes_of(place.type)) != 0)
        found_[k] = text_of(races_.front(), "memory that it comes from");
    }
  }

  const Rerun& rerun_;
  const std::vector<Place>& places_;
  Contents first_;
  std::vector<Finding> races_;
  bool has_atomics_ = false;
  std::vector<std::optional<std::string>> found_;
};

}  // namespace

Races find_races(const Rerun& rerun, const std::vector<Place>& places) {
  if (places.empty()) return {};
  return RaceSearch(rerun, places).run();
}

}  // namespace lockstep::judgement
