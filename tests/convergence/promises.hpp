#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "convergence/reference.hpp"

/// \file
/// The promises of the weaker rules, derived from each lane's own steps. As long as all lanes take
/// the same steps they are together. Where they diverge, lanes only stay together with certainty
/// while they take the same steps, until all lanes close a construct that all had opened together.

namespace lockstep::test {

/// What is certain about a log of a lane.
struct Sure {
  bool whole = false;         ///< all lanes of the scope are together here
  std::uint64_t history = 0;  ///< since they last were: lanes with the same history are together
};

/// The same for all lanes of a scope: a subgroup, or the subgroups of a workgroup.
class Promises {
 public:
  /// Takes the existing lanes.
  explicit Promises(std::vector<const Trace*> lanes) : lanes_(std::move(lanes)) {
    at_.resize(lanes_.size());
    sure_.resize(lanes_.size());
    if (lanes_.empty()) return;
    do walk_together();
    while (walk_apart());
  }

  /// What is certain about each log of the k-th given lane.
  const std::vector<Sure>& of(std::size_t k) const { return sure_[k]; }
  /// Whether a condition depended on the tangle where the tangle is not certain.
  bool asked_apart() const { return asked_apart_; }

 private:
  const Step* next(std::size_t k) const {
    return at_[k] < lanes_[k]->steps.size() ? &lanes_[k]->steps[at_[k]] : nullptr;
  }

  /// All lanes take the same steps.
  void walk_together() {
    for (;;) {
      for (std::size_t k = 0; k < lanes_.size(); ++k) {
        if (next(k) == nullptr || next(k)->key != next(0)->key) return;
      }
      const Step step = *next(0);
      if (step.kind == Step::opened) open_.push_back(step.key);
      if (step.kind == Step::closed) close(step.key);
      for (std::size_t k = 0; k < lanes_.size(); ++k) {
        if (step.kind == Step::log) sure_[k].push_back({true, 0});
        ++at_[k];
      }
    }
  }

  /// A jump left the constructs inside.
  void close(std::uint64_t construct) {
    while (open_.back() != construct) open_.pop_back();
    open_.pop_back();
  }

  /// The lanes have diverged: advances to where they certainly meet. False if there is no such place.
  bool walk_apart() {
    std::vector<std::size_t> to(lanes_.size());
    while (!open_.empty() && !all_close(open_.back(), to)) open_.pop_back();
    if (open_.empty()) {
      for (std::size_t k = 0; k < lanes_.size(); ++k) to[k] = lanes_[k]->steps.size();
    }
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      std::uint64_t history = 1;
      for (; at_[k] < to[k]; ++at_[k]) {
        const Step& step = lanes_[k]->steps[at_[k]];
        history = hash_of(history, step.key, step.kind);
        if (step.kind == Step::log) sure_[k].push_back({false, history});
        if (step.kind == Step::asked) asked_apart_ = true;
      }
    }
    return !open_.empty();
  }
  bool all_close(std::uint64_t construct, std::vector<std::size_t>& where) const {
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const auto& steps = lanes_[k]->steps;
      const auto found =
          std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(at_[k]), steps.end(),
                       [&](const Step& s) { return s.kind == Step::closed && s.key == construct; });
      if (found == steps.end()) return false;
      where[k] = static_cast<std::size_t>(found - steps.begin());
    }
    return true;
  }

  std::vector<const Trace*> lanes_;
  std::vector<std::size_t> at_;
  std::vector<std::vector<Sure>> sure_;
  std::vector<std::uint64_t> open_;
  bool asked_apart_ = false;
};

}  // namespace lockstep::test
