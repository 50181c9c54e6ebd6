#pragma once

#include <array>
#include <cstdint>
#include <span>
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
  late_break,       ///< whether code before a break runs once, after the loop
  subgroup_order,  ///< which subgroup of a workgroup runs next, and whether one stops before an access
  side_order,      ///< which side of a branch runs first
  atomic_order,     ///< which lane of an atomic is next
  reduction_order,  ///< in which order a reduction of floats combines its values
  progress,         ///< whether subgroups that wait in a loop let others run
};
/// All of them.
inline constexpr std::array all_choices = {
    Choice::rejoin,       Choice::switch_grouping, Choice::fallthrough,
    Choice::late_break,   Choice::subgroup_order,  Choice::side_order,
    Choice::atomic_order, Choice::reduction_order, Choice::progress};
/// What a rule of convergence leaves open: a chooser is asked these unless only() says otherwise.
inline constexpr std::array choices_of_convergence = {Choice::rejoin, Choice::switch_grouping,
                                                      Choice::fallthrough};
/// Their names on the command line: convergence, switch-grouping, ...
std::string_view to_string(Choice choice);

/// Decides what an implementation may choose, and records its answers.
///
/// Where sets of lanes arrive and the rule promises nothing, the chooser is asked for one set after
/// another: each may join an earlier set or stay apart. Every question is therefore "which of n?":
/// 0 to n - 2 name a set to join, n - 1 stays apart. For all other kinds of choice 0 is what a run
/// without a chooser does.
///
/// Requires      One chooser per run at a time.
/// Active lanes  Not applicable: a chooser sees no lanes.
/// Errors        replay throws Error if the run asks more questions than, or different ones from,
///               the run that recorded the answers.
/// Cost          Two stored numbers per question.
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
  /// The chooser that a command line names: rejoin-all, rejoin-none, random:SEED or replay:0,1,2. Before it may
  /// stand what it is asked, as in atomic-order,late-break=random:1.
  static Chooser parse(std::string_view text);

  /// The same chooser, but only these kinds of choice are asked and recorded; all others are 0.
  Chooser only(std::span<const Choice> choices) const;
  /// Whether it is asked for choices at all.
  bool asks_anything() const { return open_ != 0; }
  /// Whether it is asked for choices of a kind.
  bool asks(Choice choice) const { return (open_ >> static_cast<unsigned>(choice) & 1) != 0; }

  /// A question that was asked.
  struct Question {
    std::uint32_t options = 1;
    Choice choice = Choice::rejoin;
    SourceLocation where;
  };

  /// One of 0 to options - 1; 0 if the chooser is not asked for this kind. Requires options >= 1.
  std::uint32_t choose(std::uint32_t options, SourceLocation where, Choice choice = Choice::rejoin);
  /// The same, but asked only once for each place and kind: a choice that a compiler makes.
  std::uint32_t choose_for_place(std::uint32_t options, SourceLocation where, Choice choice);

  /// All answers so far: the argument of replay.
  const std::vector<std::uint32_t>& made() const { return made_; }
  /// The questions that they answer.
  std::vector<Question> asked() const;
  /// All answers so far as text: what parse takes after `replay:`.
  std::string made_as_text() const { return to_text(made_); }
  /// Answers as such a text: 0x20,3 are 20 zeros and a 3.
  static std::string to_text(const std::vector<std::uint32_t>& answers);

 private:
  enum class Manner { rejoin_all, rejoin_none, random, replay, start_with };

  explicit Chooser(Manner manner) : manner_(manner) {}

  /// A bit for each kind of choice.
  static constexpr std::uint32_t bits_of(std::span<const Choice> choices) {
    std::uint32_t bits = 0;
    for (const Choice choice : choices) bits |= 1u << static_cast<unsigned>(choice);
    return bits;
  }

  /// Stores what was asked and answered.
  void keep(const Question& question, std::uint32_t answer);

  Manner manner_;
  std::uint32_t open_ = bits_of(choices_of_convergence);
  /// State of the generator; the header random is too expensive to include.
  std::uint64_t random_ = 0;
  std::vector<std::uint32_t> answers_;
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> asked_;        ///< places in different_
  std::vector<Question> different_;         ///< the questions that were asked, most of them once
  std::array<std::uint32_t, 64> recent_{};  ///< where some of them are there
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
