#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/chooser.hpp>

#include "judgement/rerun.hpp"

/// \file
/// Which of the choices that a rule of convergence leaves open a device has made.

namespace lockstep::judgement {

/// Results that a run with the device's choices must have.
struct Sought {
  std::vector<Place> places;
  const Contents& device;
};

/// The choices of one run.
struct Choices {
  std::vector<Choice> asked;
  std::vector<std::uint32_t> answers;
  std::vector<Chooser::Question> questions;
};

/// What a search found.
struct Searched {
  std::uint64_t runs = 0;
  bool exhausted = false;     ///< all combinations were tried
  std::vector<bool> depends;  ///< by place: whether some run changed it
  /// Those with which a run has the most of the places as the device has them; none if no run has more than the first.
  std::optional<Choices> best;
};

struct SearchBudget {
  std::uint64_t most_runs = 2000;
  std::chrono::duration<double> most_time = std::chrono::seconds(5);
};

/// Tries combinations of the choices: which lanes rejoin, are together in a case, fall through to others, and break late.
/// Floats that are close count as the device's: whether they are allowed the oracle knows.
///
/// Requires      All of `device` that is sought has the sizes of the parts.
/// Active lanes  As in the shader.
/// Errors        A run that ends with an Error has none of the places.
/// Cost          Runs until all places are as the device has them, all was tried or the budget is used.
/// Spec          SPIR-V 2.2.5: what is left open about dynamic instances
/// Example       tests/judgement/judge.cpp
Searched search_choices(const Rerun& rerun, const Sought& sought, const SearchBudget& budget = {});

/// Whether a run asks for any of them.
bool leaves_choices(const Rerun& rerun);

/// The dimensions of `lockstep explore` in which the choices are not those of the first run.
std::vector<std::string> dimensions_of(const Choices& choices);
/// The options of `lockstep run` that repeat them: "--convergence core --choose convergence=replay:0,1".
std::string to_options(const Choices& choices, Rule rule);

}  // namespace lockstep::judgement
