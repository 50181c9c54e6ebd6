#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/source_location.hpp>

namespace lockstep {

/// What a question to a chooser is about.
enum class Choice : std::uint8_t {
  rejoin,           ///< which sets of lanes rejoin where nothing promises it
  switch_grouping,  ///< whether lanes with several labels of one case are together in it
  fallthrough,      ///< whether lanes that fall into a case join those that branch to it
};

/// Decides what a rule of convergence leaves open, and records its answers.
///
/// Where sets of lanes arrive and the rule promises nothing, the chooser is asked for one set after
/// another: each may join an earlier set or stay apart. Every question is therefore "which of n?":
/// 0 to n - 2 name a set to join, n - 1 stays apart.
///
/// Requires      One chooser per run at a time.
/// Active lanes  Not applicable: a chooser sees no lanes.
/// Errors        replay throws Error if the run asks more questions than, or different ones from,
///               the run that recorded the answers.
/// Cost          One stored number per question.
/// Spec          SPIR-V 2.2.5: which invocations share a dynamic instance
/// Example       tests/exec/chooser.cpp
class Chooser {
 public:
  /// Every set that may rejoin does: the behaviour of most hardware.
  static Chooser rejoin_all() { return Chooser(Manner::rejoin_all); }
  /// No set rejoins unless it must: the adversary.
  static Chooser rejoin_none() { return Chooser(Manner::rejoin_none); }
  /// Random answers that depend only on the seed.
  static Chooser random(std::uint64_t seed) {
    Chooser chooser(Manner::random);
    chooser.random_ = seed;
    return chooser;
  }
  /// The answers of an earlier run, in order.
  static Chooser replay(std::vector<std::uint32_t> answers) {
    Chooser chooser(Manner::replay);
    chooser.answers_ = std::move(answers);
    return chooser;
  }
  /// These answers first, then every set that may rejoin does.
  static Chooser start_with(std::vector<std::uint32_t> answers) {
    Chooser chooser(Manner::start_with);
    chooser.answers_ = std::move(answers);
    return chooser;
  }
  /// The chooser that a command line names: rejoin-all, rejoin-none, random:SEED or replay:0,1,2.
  static Chooser parse(std::string_view text);

  /// A question that was asked.
  struct Question {
    std::uint32_t options = 1;
    Choice choice = Choice::rejoin;
    SourceLocation where;
  };

  /// One of 0 to options - 1. Requires options >= 1.
  std::uint32_t choose(std::uint32_t options, SourceLocation where, Choice choice = Choice::rejoin);
  /// The same, but asked only once for each place and kind: a choice that a compiler makes.
  std::uint32_t choose_for_place(std::uint32_t options, SourceLocation where, Choice choice);

  /// All answers so far: the argument of replay.
  const std::vector<std::uint32_t>& made() const { return made_; }
  /// The questions that they answer.
  const std::vector<Question>& asked() const { return asked_; }
  /// All answers so far as text: what parse takes after `replay:`.
  std::string made_as_text() const;

 private:
  enum class Manner { rejoin_all, rejoin_none, random, replay, start_with };

  explicit Chooser(Manner manner) : manner_(manner) {}

  Manner manner_;
  /// State of the generator; <random> is too expensive for a header.
  std::uint64_t random_ = 0;
  std::vector<std::uint32_t> answers_;
  std::vector<std::uint32_t> made_;
  std::vector<Question> asked_;
  /// The answer for one place and kind.
  struct AtPlace {
    std::string file;
    int line;
    Choice choice;
    std::uint32_t answer;
  };
  std::vector<AtPlace> by_place_;
};

}  // namespace lockstep
