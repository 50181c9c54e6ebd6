#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convergence/program.hpp"

/// \file
/// The logs of a machine, and their comparison with the allowed ones.

namespace lockstep::test {

/// A log that a lane passed: its tangle, and all lanes that were active.
struct Entry {
  int site = 0;
  Lanes128 tangle, active;

  friend bool operator==(const Entry&, const Entry&) = default;
};
/// For each of 128 lanes.
using Log = std::vector<std::vector<Entry>>;

/// The allowed values of an entry: a tangle between these two.
struct Allowed {
  int site = 0;
  Lanes128 least, most;
  std::optional<Lanes128> active;  ///< if known
};
using AllowedLog = std::vector<std::vector<Allowed>>;

inline std::string to_text(const Lanes128& lanes) {
  std::string text;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes.test(i)) continue;
    std::size_t last = i;
    while (last + 1 < lanes.size() && lanes.test(last + 1)) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(i);
    if (last > i) text += "-" + std::to_string(last);
    i = last;
  }
  return "{" + text + "}";
}

/// The first difference between a log and what is allowed; empty if there is none.
inline std::string difference(const Log& got, const AllowedLog& want) {
  for (std::size_t lane = 0; lane < want.size(); ++lane) {
    for (std::size_t k = 0; k < want[lane].size() || k < got[lane].size(); ++k) {
      const std::string where = "lane " + std::to_string(lane) + ", entry " + std::to_string(k);
      if (k >= got[lane].size())
        return where + ": log(" + std::to_string(want[lane][k].site) + ") is missing";
      const Entry& g = got[lane][k];
      if (k >= want[lane].size())
        return where + ": log(" + std::to_string(g.site) + ") is too much";
      const Allowed& w = want[lane][k];
      if (g.site != w.site) {
        return where + ": log(" + std::to_string(g.site) + ") instead of log(" +
               std::to_string(w.site) + ")";
      }
      const std::string at = where + ", log(" + std::to_string(w.site) + "): ";
      if ((w.least & ~g.tangle).any() || (g.tangle & ~w.most).any()) {
        return at + "together with " + to_text(g.tangle) + " instead of " + to_text(w.least) +
               (w.least == w.most ? "" : " to " + to_text(w.most));
      }
      if (w.active && g.active != *w.active)
        return at + to_text(g.active) + " are active instead of " + to_text(*w.active);
    }
  }
  return "";
}

}  // namespace lockstep::test
