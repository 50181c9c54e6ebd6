#include "judgement/races.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
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

/// An observer that gives up after some time.
class Limited : public Observer {
 public:
  struct TooLong : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  void on(const Event& event) override {
    constexpr std::uint64_t events_between_looks = 4096;
    if (++events_ % events_between_looks == 0 && std::chrono::steady_clock::now() > end_)
      throw TooLong("finding races takes too long");
    note(event);
  }

 private:
  virtual void note(const Event& event) = 0;

  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::uint64_t events_ = 0;
};

/// Whether there are atomics.
class Atomics : public Limited {
 public:
  Interest interest() const override {
    return {{Event::Kind::start, Event::Kind::atomic, Event::Kind::trip}, false, false};
  }
  bool any() const { return any_; }

 private:
  void note(const Event& event) override { any_ = any_ || event.kind == Event::Kind::atomic; }

  bool any_ = false;
};

/// What each of the last few invocations wrote in a line, as far as they differ.
class Written {
 public:
  using Invocation = std::tuple<std::array<std::uint32_t, 3>, std::uint32_t, int>;

  void add(const Invocation& by, std::uint64_t bits) {
    const auto known = std::ranges::find(all_, by, &One::by);
    if (known != all_.end())
      known->bits = bits;
    else if (all_.size() < 2 ||
             (all_.size() < most && std::ranges::find(all_, bits, &One::bits) == all_.end()))
      all_.push_back({by, bits});
  }
  /// Whether two invocations wrote different numbers.
  bool differs_from(const Written& other) const {
    return std::ranges::any_of(all_, [&](const One& a) {
      return std::ranges::any_of(other.all_,
                                 [&](const One& b) { return a.by != b.by && a.bits != b.bits; });
    });
  }

 private:
  static constexpr std::size_t most = 4;
  struct One {
    Invocation by;
    std::uint64_t bits = 0;
  };
  std::vector<One> all_;
};

/// Where watched places are accessed, by whom, and what is written there.
class Accesses : public Limited {
 public:
  /// Watches bytes that no others that are watched overlap.
  void watch(const std::byte* at, std::size_t bytes) { watched_.push_back({at, bytes}); }
  /// Before the run.
  void start() { std::ranges::sort(watched_, std::less<>(), &Watched::at); }

  Interest interest() const override {
    return {{Event::Kind::read, Event::Kind::write, Event::Kind::atomic, Event::Kind::trip},
            true,
            false};
  }

  /// Whether the bytes at an address are accessed at both sites, by more than one invocation.
  bool are_of(const std::byte* at, const Site& one, const Site& other) const {
    const Watched& seen = watched(at);
    return seen.several && seen.find(one) != nullptr && seen.find(other) != nullptr;
  }
  /// Whether invocations write different numbers at both sites, and nothing is written elsewhere afterwards.
  bool are_decided_by(const std::byte* at, const Site& one, const Site& other) const {
    const Watched& seen = watched(at);
    const AtSite *const a = seen.find(one), *const b = seen.find(other);
    if (a == nullptr || b == nullptr) return false;
    const Site& last = seen.sites[seen.last].site;
    return (last.is(one) || last.is(other)) && a->written.differs_from(b->written);
  }

 private:
  struct AtSite {
    Site site;
    Written written = {};
  };
  struct Watched {
    const std::byte* at;
    std::size_t bytes;
    std::optional<Written::Invocation> first = {};
    bool several = false;
    std::vector<AtSite> sites = {};
    std::size_t last = 0;  ///< of the sites: where it was written last

    const AtSite* find(const Site& site) const {
      const auto found =
          std::ranges::find_if(sites, [&](const AtSite& s) { return s.site.is(site); });
      return found == sites.end() ? nullptr : &*found;
    }
  };

  const Watched& watched(const std::byte* at) const {
    return *std::ranges::lower_bound(watched_, at, std::less<>(), &Watched::at);
  }

  void note(const Event& event) override {
    const Access& access = event.access;
    if (event.kind == Event::Kind::trip || access.data == nullptr) return;
    for_each_lane(event.others, [&](int lane) {
      const std::uint64_t first = access.byte[static_cast<std::size_t>(lane)];
      if (first == Access::outside) return;
      for (std::uint32_t k = 0; k < access.count; ++k)
        note(event, lane, k, access.data + first + std::uint64_t{k} * access.step);
    });
  }
  void note(const Event& event, int lane, std::uint32_t number, const std::byte* at) {
    const Written::Invocation invocation{event.workgroup, event.subgroup, lane};
    const bool writes = changes_memory(event, lane);
    const auto ends_before = [&](const Watched& w) {
      return std::less_equal<>()(w.at + w.bytes, at);
    };
    auto seen = std::partition_point(watched_.begin(), watched_.end(), ends_before);
    for (; seen != watched_.end() && std::less<>()(seen->at, at + event.access.bytes); ++seen) {
      if (!seen->first) seen->first = invocation;
      seen->several = seen->several || *seen->first != invocation;
      const Site site{event.where, event.access.object};
      const auto known =
          std::ranges::find_if(seen->sites, [&](const AtSite& s) { return s.site.is(site); });
      const auto place = static_cast<std::size_t>(known - seen->sites.begin());
      if (known == seen->sites.end()) seen->sites.push_back({site});
      if (!writes) continue;
      seen->sites[place].written.add(invocation, written_bits(event, lane, number));
      seen->last = place;
    }
  }
  /// The number that a lane writes; one of its own for an atomic, as it depends on what was there.
  std::uint64_t written_bits(const Event& event, int lane, std::uint32_t number) {
    if (event.kind == Event::Kind::atomic || event.operands.empty()) return ++atomics_;
    const LaneValues& values = event.operands.back();
    const auto components = static_cast<std::size_t>(values.components);
    const std::size_t at = static_cast<std::size_t>(lane) * components;
    if (event.access.count > 1) return values.bits.at(at + number);
    std::uint64_t all = 0;  // of a texel
    for (std::size_t k = 0; k < components; ++k)
      all = all * 0x9e3779b97f4a7c15 + values.bits.at(at + k);
    return all;
  }

  std::uint64_t atomics_ = 0;
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

/// Runs the dispatch in its usual order. Returns whether it ends in time.
bool ends(Observer& observer, const Rerun& rerun, Contents& contents) {
  const Convergence convergence{
      .rule = rerun.rule(), .chooser = nullptr, .observer = &observer, .max_trips = most_steps};
  Dispatch how = plain_dispatch();
  how.convergence = &convergence;
  how.max_steps = most_steps;
  try {
    rerun.run(contents, how);
    return true;
  } catch (const Limited::TooLong&) {
    return false;
  } catch (const Error&) {
    return false;
  }
}

/// What the races of a dispatch reach.
class RaceSearch {
 public:
  using Touches = bool (Accesses::*)(const std::byte*, const Site&, const Site&) const;
  using Applies = std::function<bool(const Place&)>;

  RaceSearch(const Rerun& rerun, const std::vector<Finding>& races,
             const std::vector<Place>& places)
      : rerun_(rerun), races_(races), places_(places), found_(places.size()) {}

  /// The places that a race touches so, and those that change with the order if that says something.
  Races::Texts run(Touches touches, const Applies& says) {
    if (find_touched(touches)) run_in_other_orders(says);
    return std::move(found_);
  }

 private:
  static constexpr std::uint64_t random_runs = 8;

  bool find_touched(Touches touches) {
    first_ = rerun_.inputs();
    Accesses accesses;
    const auto address = [&](const Place& place) {
      return rerun_.address(first_, place.part) + place.byte;
    };
    for (const Place& place : places_) accesses.watch(address(place), io::bytes_of(place.type));
    accesses.start();
    if (!ends(accesses, rerun_, first_)) return false;
    for (const Finding& race : races_) {
      const Site one{race.where, race.access.object}, other{race.other->where, race.access.object};
      for (std::size_t k = 0; k < places_.size(); ++k) {
        if (!found_[k] && (accesses.*touches)(address(places_[k]), one, other))
          found_[k] = text_of(race, "it");
      }
    }
    return true;
  }

  /// What a race reaches through other memory changes with the order in which invocations run.
  void run_in_other_orders(const Applies& says) {
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
      note_changed(contents, says);
    }
  }
  void note_changed(const Contents& contents, const Applies& says) {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Place& place = places_[k];
      if (!found_[k] &&
          std::memcmp(contents[place.part].data() + place.byte,
                      first_[place.part].data() + place.byte, io::bytes_of(place.type)) != 0 &&
          says(place))
        found_[k] = text_of(races_.front(), "memory that it comes from");
    }
  }

  const Rerun& rerun_;
  const std::vector<Finding>& races_;
  const std::vector<Place>& places_;
  Contents first_;
  Races::Texts found_;
};

}  // namespace

Races::Races(const Rerun& rerun) : rerun_(rerun) {
  // Without observers, so that what cannot race takes no time.
  Contents contents = rerun.inputs();
  Dispatch how = plain_dispatch();
  how.max_steps = most_steps;
  how.checks = race_checks;
  try {
    const ShaderRun run = rerun.run(contents, how);
    for (const Finding& finding : run.findings.findings()) {
      if (finding.other) all_.push_back(finding);
    }
    has_ended_ = true;
  } catch (const Error&) {
    // It has no results that a race could reach.
  }
}

bool Races::has_atomics() {
  if (!has_atomics_) {
    Contents contents = rerun_.inputs();
    Atomics atomics;
    has_atomics_ = !ends(atomics, rerun_, contents) || atomics.any();
  }
  return *has_atomics_;
}

Races::Texts Races::reach(const std::vector<Place>& places) const {
  if (!any() || places.empty()) return Texts(places.size());
  return RaceSearch(rerun_, all_, places).run(&Accesses::are_of, [](const Place&) { return true; });
}

Races::Texts Races::decide(const std::vector<Place>& places,
                           const std::function<bool(const Place&)>& is_ordered) {
  if (!any() || places.empty()) return Texts(places.size());
  // Results are right in spite of a warning, as about memory that is not coherent.
  std::vector<Finding> errors;
  std::ranges::copy_if(all_, std::back_inserter(errors),
                       [](const Finding& race) { return race.severity == Severity::error; });
  if (errors.empty()) return Texts(places.size());
  const bool any_atomics = has_atomics();
  return RaceSearch(rerun_, errors, places).run(&Accesses::are_decided_by, [&](const Place& place) {
    return !any_atomics || !is_ordered(place);
  });
}

}  // namespace lockstep::judgement
