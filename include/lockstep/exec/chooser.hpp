#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// Answers the questions that a rule of convergence leaves open, and remembers its answers.
///
/// Lanes that arrive where the rule promises nothing are asked for one after another: each set that
/// arrives may join one of those before it or stay apart. So every question is "which of n?": 0 to
/// n - 2 name a set to join, n - 1 stays apart.
///
/// Requires      One chooser for one run at a time.
/// Active lanes  Knows nothing of lanes.
/// Errors        replay throws Error when the run asks more than, or otherwise than, the run did
///               that made the list.
/// Cost          One number kept a question.
/// Spec          SPIR-V 2.2.5: which invocations share a dynamic instance
/// Example       tests/exec/chooser.cpp
class Chooser {
 public:
  /// Everything that may rejoin does: what most hardware shows.
  static Chooser rejoin_all() { return Chooser(Manner::rejoin_all); }
  /// Nothing rejoins that need not: the adversary.
  static Chooser rejoin_none() { return Chooser(Manner::rejoin_none); }
  /// Anything, depending on the seed.
  static Chooser random(std::uint64_t seed) {
    Chooser chooser(Manner::random);
    chooser.random_ = seed;
    return chooser;
  }
  /// The answers of an earlier run, in their order.
  static Chooser replay(std::vector<std::uint32_t> answers) {
    Chooser chooser(Manner::replay);
    chooser.answers_ = std::move(answers);
    return chooser;
  }
  /// The chooser a command line names: rejoin-all, rejoin-none, random:SEED or replay:0,1,2.
  static Chooser parse(std::string_view text);

  /// One of 0 to options - 1. Requires options >= 1.
  std::uint32_t choose(std::uint32_t options, SourceLocation where);
  /// The same, but asked once for each place and kind: a choice that a compiler makes.
  std::uint32_t choose_for_place(std::uint32_t options, SourceLocation where, int kind);

  /// All answers so far: what replay takes.
  const std::vector<std::uint32_t>& made() const { return made_; }
  /// All answers so far as text: what parse takes behind `replay:`.
  std::string made_as_text() const;

 private:
  enum class Manner { rejoin_all, rejoin_none, random, replay };

  explicit Chooser(Manner manner) : manner_(manner) {}

  Manner manner_;
  std::uint64_t random_ =
      0;  ///< state of the generator, which <random> is too dear for in a header
  std::vector<std::uint32_t> answers_;
  std::vector<std::uint32_t> made_;
  std::map<std::pair<std::pair<std::string, int>, int>, std::uint32_t> by_place_;
};

}  // namespace lockstep
