#include "judgement/choices.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/error.hpp>

#include "explore/dimension.hpp"
#include "judgement/limits.hpp"

namespace lockstep::judgement {
namespace {

using Clock = std::chrono::steady_clock;

/// Runs the dispatch with the chooser's answers. Throws Error where it does not come to its end.
void run_choosing(const Rerun& rerun, Chooser& chooser, Contents& contents) {
  const Convergence convergence{
      .rule = rerun.rule(), .chooser = &chooser, .observer = nullptr, .max_trips = most_steps};
  Dispatch how = plain_dispatch();
  how.convergence = &convergence;
  how.max_steps = most_steps;
  rerun.run(contents, how);
}

/// What a compiler may do under a rule. Under maximal reconvergence it asks nothing about late breaks, for which only
/// interpreted instructions will do.
std::vector<Choice> choices_under(Rule rule) {
  std::vector<Choice> choices(choices_of_convergence.begin(), choices_of_convergence.end());
  if (rule != Rule::maximal) choices.push_back(Choice::late_break);
  return choices;
}

template <class T>
bool are_close(const std::byte* a, const std::byte* b, T most) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return std::abs(x - y) <= most * std::max(std::abs(x), std::abs(y));
}

/// Whether a device that gives one number may mean the other.
bool is_alike(npy::Dtype type, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, io::bytes_of(type)) == 0) return true;
  if (type == npy::Dtype::float32) return are_close<float>(a, b, 0x1p-10f);
  if (type == npy::Dtype::float64) return are_close<double>(a, b, 0x1p-20);
  return false;
}

class Search {
 public:
  Search(const Rerun& rerun, const Sought& sought, const SearchBudget& budget)
      : rerun_(rerun),
        sought_(sought),
        asked_(choices_under(rerun.rule())),
        most_runs_(budget.most_runs),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(budget.most_time)) {
    found_.depends.resize(sought.places.size());
  }

  Searched run() {
    const std::uint64_t few = std::min<std::uint64_t>(64, most_runs_);
    follow_tree(few);
    if (tree_.exhausted() || is_over()) return finish();
    const Tried adversary = tried(Chooser::rejoin_none());
    by_places();
    for (std::uint64_t seed = 1; seed <= random_runs && !is_over(); ++seed)
      tried(Chooser::random(seed));
    // From the end that is closer to the device.
    const bool joins = first_.misses <= adversary.misses;
    one_by_one(joins ? first_ : adversary, joins ? 0 : apart);
    one_by_one(joins ? adversary : first_, joins ? apart : 0);
    follow_tree(most_runs_);
    return finish();
  }

 private:
  /// A run that is over: its answers, and how many places it does not have.
  struct Tried {
    std::vector<std::uint32_t> answers;
    std::vector<Chooser::Question> questions;
    std::size_t misses = 0;
  };

  /// An answer that chooses the last option, whatever their number.
  static constexpr std::uint32_t apart = ~std::uint32_t{0};
  static constexpr std::uint64_t random_runs = 32;
  static constexpr std::size_t most_lines = 8;

  bool is_over() const { return fewest_ == 0 || found_.runs >= most_runs_ || Clock::now() >= end_; }
  Searched finish() {
    found_.exhausted = tree_.exhausted();
    return std::move(found_);
  }

  Tried tried(const Chooser& manner) {
    Chooser chooser = manner.only(asked_);
    Contents contents = rerun_.inputs();
    bool ended = true;
    try {
      run_choosing(rerun_, chooser, contents);
    } catch (const Error&) {
      ended = false;
    }
    Tried result{chooser.made(), chooser.asked(), sought_.places.size()};
    if (ended) result.misses = misses_of(contents);
    if (found_.runs++ == 0) {
      first_ = result;
      fewest_ = result.misses;
      first_contents_ = std::move(contents);
      return result;
    }
    if (ended) note_dependent(contents);
    if (result.misses < fewest_) {
      fewest_ = result.misses;
      found_.best = Choices{asked_, result.answers, result.questions};
    }
    return result;
  }
  std::size_t misses_of(const Contents& contents) const {
    return static_cast<std::size_t>(std::ranges::count_if(sought_.places, [&](const Place& place) {
      return !is_alike(place.type, contents[place.part].data() + place.byte,
                       sought_.device[place.part].data() + place.byte);
    }));
  }
  void note_dependent(const Contents& contents) {
    for (std::size_t k = 0; k < sought_.places.size(); ++k) {
      const Place& place = sought_.places[k];
      if (std::memcmp(contents[place.part].data() + place.byte,
                      first_contents_[place.part].data() + place.byte,
                      io::bytes_of(place.type)) != 0)
        found_.depends[k] = true;
    }
  }

  /// Every sequence of answers, those with the fewest choices first.
  void follow_tree(std::uint64_t most_runs) {
    while (found_.runs < most_runs && (found_.runs == 0 || !is_over())) {
      const auto answers = tree_.next();
      if (!answers) return;
      const Tried run = tried(Chooser::start_with(*answers));
      tree_.ran(*answers, run.answers, run.questions);
      for (const Chooser::Question& question : run.questions) add_line(question.where);
    }
  }
  void add_line(const SourceLocation& where) {
    if (where.line > 0 && lines_.size() < most_lines &&
        std::ranges::find(lines_, where.line) == lines_.end())
      lines_.push_back(where.line);
  }

  /// Devices mostly do the same in a line each time.
  void by_places() {
    for (std::size_t count = 1; count <= lines_.size(); ++count) {
      for (std::uint32_t some = 1; some < 1u << lines_.size() && !is_over(); ++some) {
        if (std::popcount(some) != static_cast<int>(count)) continue;
        std::vector<int> lines;
        for (std::size_t k = 0; k < lines_.size(); ++k) {
          if ((some >> k & 1) != 0) lines.push_back(lines_[k]);
        }
        tried(Chooser::parse(fmt::format("rejoin-none:{}", fmt::join(lines, ","))));
      }
    }
  }

  /// One answer after another becomes what brings the run closest; those that follow it are `rest`.
  void one_by_one(Tried current, std::uint32_t rest) {
    for (std::size_t k = 0; k < current.answers.size() && !is_over(); ++k) {
      const Tried before = current;
      for (std::uint32_t answer = 0; answer < before.questions[k].options && !is_over(); ++answer) {
        if (answer == before.answers[k]) continue;
        std::vector<std::uint32_t> answers(before.answers.begin(),
                                           before.answers.begin() + static_cast<std::ptrdiff_t>(k));
        answers.push_back(answer);
        if (rest != 0) answers.resize(2 * before.answers.size() + 1, rest);
        Tried now = tried(Chooser::start_with(std::move(answers)));
        if (now.misses < current.misses) current = std::move(now);
      }
    }
  }

  const Rerun& rerun_;
  const Sought& sought_;
  std::vector<Choice> asked_;
  std::uint64_t most_runs_;
  Clock::time_point end_;
  ChoiceTree tree_;
  Tried first_;
  Contents first_contents_;
  std::size_t fewest_ = 0;
  std::vector<int> lines_;  ///< of questions
  Searched found_;
};

}  // namespace

Searched search_choices(const Rerun& rerun, const Sought& sought, const SearchBudget& budget) {
  return Search(rerun, sought, budget).run();
}

bool leaves_choices(const Rerun& rerun) {
  const std::vector<Choice> asked = choices_under(rerun.rule());
  Chooser chooser = Chooser::start_with({}).only(asked);
  Contents contents = rerun.inputs();
  run_choosing(rerun, chooser, contents);
  return !chooser.asked().empty();
}

std::vector<std::string> dimensions_of(const Choices& choices) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < choices.questions.size(); ++k) {
    if (choices.answers[k] == 0) continue;
    const auto name = std::string(to_string(explore::dimension_of(choices.questions[k].choice)));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string to_options(const Choices& choices, Rule rule) {
  std::vector<std::string_view> kinds;
  for (const Choice choice : choices.asked) kinds.push_back(to_string(choice));
  return fmt::format("--convergence {} --choose {}=replay:{}", to_string(rule),
                     fmt::join(kinds, ","), Chooser::to_text(choices.answers));
}

}  // namespace lockstep::judgement
