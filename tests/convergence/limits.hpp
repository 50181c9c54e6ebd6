#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "convergence/expected.hpp"
#include "convergence/promises.hpp"

/// \file
/// What the subgroups of a workgroup may log under a rule that does not promise every merge.

namespace lockstep::test {

/// One log for each subgroup.
using Logs = std::vector<Log>;
/// The lanes of each subgroup.
using Subgroups = std::vector<Lanes128>;

/// Statistics of the comparison.
struct Tally {
  std::uint64_t entries = 0;   ///< per machine
  std::uint64_t whole = 0;     ///< of them promised to be whole
  std::uint64_t regained = 0;  ///< of these after lanes had diverged
  std::uint64_t apart = 0;     ///< where lanes may be apart that maximal reconvergence rejoins
};

/// The allowed logs of a program under a rule, for each kind of chooser.
struct Limits {
  std::vector<AllowedLog> rejoin_all, rejoin_none, any;
  bool asked_apart = false;  ///< then only rejoin_all is known
};

/// The lanes of one subgroup that are certainly together at each log.
inline void fill_in_least(const Reference& reference,
                          const std::vector<const std::vector<Sure>*>& sure, AllowedLog& log) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Lanes128> together;
  const auto key = [&](std::size_t i, std::size_t k) {
    return std::pair(reference.lanes[i].logs[k].instance, (*sure[i])[k].history);
  };
  for (std::size_t i = 0; i < log.size(); ++i) {
    for (std::size_t k = 0; k < log[i].size(); ++k) together[key(i, k)].set(i);
  }
  for (std::size_t i = 0; i < log.size(); ++i) {
    for (std::size_t k = 0; k < log[i].size(); ++k) log[i][k].least = together[key(i, k)];
  }
}

inline void tally_up(const AllowedLog& log, const std::vector<const std::vector<Sure>*>& sure,
                     Tally& tally) {
  for (std::size_t i = 0; i < log.size(); ++i) {
    bool were_apart = false;
    for (std::size_t k = 0; k < log[i].size(); ++k) {
      const bool whole = (*sure[i])[k].whole;
      ++tally.entries;
      tally.whole += whole;
      tally.regained += whole && were_apart;
      tally.apart += log[i][k].least != log[i][k].most;
      were_apart = were_apart || !whole;
    }
  }
}

/// Throws TooLong. The subgroups together are the scope of the rule's promises.
inline Limits limits_of(const Program& program, const Subgroups& subgroups, Tally& tally) {
  std::vector<Reference> references;
  std::vector<const Trace*> traces;
  for (std::size_t s = 0; s < subgroups.size(); ++s) {
    references.push_back(
        run_reference(program, subgroups[s], SwitchLanes::joined, static_cast<int>(s)));
  }
  for (std::size_t s = 0; s < subgroups.size(); ++s) {
    for (std::size_t i = 0; i < 128; ++i) {
      if (subgroups[s].test(i)) traces.push_back(&references[s].lanes[i]);
    }
  }
  const Promises promises(traces);
  Limits limits;
  limits.asked_apart = promises.asked_apart();
  const std::vector<Sure> nothing;
  std::size_t next = 0;
  for (std::size_t s = 0; s < subgroups.size(); ++s) {
    AllowedLog exact(128);
    std::vector<const std::vector<Sure>*> sure(128, &nothing);
    for (std::size_t i = 0; i < 128; ++i) {
      for (const Passed& p : references[s].lanes[i].logs)
        exact[i].push_back({p.site, p.together, p.together, p.together});
      if (subgroups[s].test(i)) sure[i] = &promises.of(next++);
    }
    limits.rejoin_all.push_back(exact);
    fill_in_least(references[s], sure, exact);
    if (!limits.asked_apart) tally_up(exact, sure, tally);
    limits.any.push_back(exact);
    for (auto& lane : exact) {
      for (Allowed& a : lane) a.most = a.least;
    }
    limits.rejoin_none.push_back(std::move(exact));
  }
  return limits;
}

/// The first difference between the subgroups' logs and what is allowed; empty if there is none.
inline std::string difference(const Logs& got, const std::vector<AllowedLog>& want) {
  for (std::size_t s = 0; s < want.size(); ++s) {
    const std::string what = test::difference(got[s], want[s]);
    if (!what.empty()) return "subgroup " + std::to_string(s) + ", " + what;
  }
  return "";
}

}  // namespace lockstep::test
