#include "explore/explorer.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/finding_error.hpp>

#include "explore/comparison.hpp"
#include "explore/run.hpp"

namespace lockstep::explore {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t batch_runs = 64;

/// What a run starts with. Of the setting, the answers are the chooser's.
struct Start {
  Setting setting;
  Chooser chooser;
};
Start start_of(const Setting& setting) {
  return {setting, Chooser::start_with(setting.answers).only(setting.asked)};
}

std::size_t ranks_of(const Request& request) {
  return request.ranks == nullptr ? 1 : static_cast<std::size_t>(request.ranks->count());
}
std::size_t rank_of(const Request& request) {
  return request.ranks == nullptr ? 0 : static_cast<std::size_t>(request.ranks->rank());
}

/// One exploration. Long, as its phases share the runs that they have seen, what they found and the budget.
class Exploration {
 public:
  Exploration(const Subject& subject, const Request& request)
      : subject_(subject),
        request_(request),
        base_(request.first),
        end_(Clock::now() + to_clock(request.most_time)) {}

  Verdict run() {
    verdict_.first = result_of(start_of(request_.first)).second;
    verdict_.runs = 1;
    if (request_.progress) request_.progress(1);
    // A run that takes far longer than the first has a loop that waits in vain.
    if (base_.max_steps == 0) base_.max_steps = 16 * verdict_.first.steps + (1u << 17);
    const std::size_t buffers = verdict_.first.buffers.size();
    verdict_.only_order.resize(buffers);
    baseline_.emplace(verdict_.first, request_);
    vary(Dimension::subgroup_size, sizes(), true);
    vary(Dimension::mapping, settings_with(&Setting::mapping, mappings()), false);
    if (request_.may_be_partial(base_.subgroup_size))
      vary(Dimension::partial_subgroups, settings_with(&Setting::mapping, fillings(base_.mapping)),
           false);
    else
      vary(Dimension::partial_subgroups, {}, true);
    vary(Dimension::workgroup_order, settings_with(&Setting::order, orders()),
         has_few_workgroups());
    vary_choices();
    vary_all();
    if (smallest_ && !lost_) shrink();
    // Ranks tell no findings: this one runs it again.
    if (smallest_ && ranks_of(request_) > 1)
      smallest_->result = result_of(start_of(smallest_->setting)).second;
    verdict_.smallest = std::move(smallest_);
    baseline_.reset();
    return std::move(verdict_);
  }

 private:
  static Clock::duration to_clock(Seconds seconds) {
    constexpr Seconds most = std::chrono::hours(24 * 365);
    return std::chrono::duration_cast<Clock::duration>(std::min(seconds, most));
  }

  // ---- Runs ----

  std::uint64_t runs_left() const {
    return request_.most_runs - std::min(request_.most_runs, verdict_.runs);
  }
  bool is_over() const { return stopped_ || runs_left() == 0; }

  std::pair<Chooser, Result> result_of(Start start) const {
    Result result;
    try {
      result = subject_(start.setting, start.chooser, nullptr);
    } catch (const FindingError& error) {
      result.error = error.what();
      result.findings = error.earlier();
      result.findings.record(error.finding());
      if (const auto* const loop = dynamic_cast<const EndlessLoop*>(&error))
        result.endless = loop->where;
    } catch (const Error& error) {
      result.error = error.what();
    }
    return {std::move(start.chooser), std::move(result)};
  }
  Run once(const Start& start) const {
    auto [chooser, result] = result_of(start);
    Run run{start.setting, chooser.asked(), std::move(result), {}, {}};
    run.setting.answers = chooser.made();
    Comparison comparison = baseline_->compare(run.result);
    run.difference = std::move(comparison.difference);
    run.only_order = std::move(comparison.only_order);
    return run;
  }

  /// Runs them, several at a time, until the budget is used; gives each that is over to `then`, in their order.
  template <class F>
  void all(const std::vector<Start>& starts, F then) {
    for (std::size_t done = 0; done < starts.size() && !is_over();) {
      const std::size_t count =
          std::min<std::uint64_t>({batch_runs, starts.size() - done, runs_left()});
      verdict_.runs += count;
      std::vector<Run> runs = batch(std::span(starts).subspan(done, count));
      verdict_.runs -= count - runs.size();
      for (Run& run : runs) then(std::move(run));
      done += count;
    }
  }
  /// Each rank does a part of it. All stop after it if one wants to.
  std::vector<Run> batch(std::span<const Start> starts) {
    const std::size_t ranks = ranks_of(request_), rank = rank_of(request_);
    std::vector<Run> mine((starts.size() + ranks - 1 - rank) / ranks);
    std::vector<char> has_run(mine.size());
    parallel(mine.size(), [&](std::size_t k) {
      if (ranks == 1 && request_.is_stopped && request_.is_stopped()) return;
      mine[k] = once(starts[rank + k * ranks]);
      has_run[k] = 1;
    });
    const bool stop = wants_stop();
    if (ranks == 1) {
      stopped_ = stop;
      mine.resize(static_cast<std::size_t>(std::ranges::find(has_run, 0) - has_run.begin()));
      return mine;
    }
    const std::vector<std::string> told = request_.ranks->exchange(to_bytes(mine, stop));
    if (told.empty()) {  // a rank is lost: what this one knows is all there will be
      stopped_ = lost_ = true;
      return mine;
    }
    std::vector<Run> runs(starts.size());
    for (std::size_t r = 0; r < ranks; ++r) {
      Told from = from_bytes(told[r]);
      stopped_ = stopped_ || from.stop;
      for (std::size_t k = 0; k < from.runs.size(); ++k) {
        Run& run = runs[r + k * ranks] = std::move(from.runs[k]);
        Setting setting = starts[r + k * ranks].setting;
        setting.answers = std::move(run.setting.answers);
        run.setting = std::move(setting);
      }
    }
    return runs;
  }
  bool wants_stop() const {
    const bool goes_on = !request_.progress || request_.progress(verdict_.runs);
    return !goes_on || Clock::now() >= end_;
  }
  template <class F>
  void parallel(std::size_t count, F f) {
    auto body = [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) f(k);
    };
    parallel_ranges(
        count, request_.threads,
        [](void* context, std::size_t begin, std::size_t end) {
          (*static_cast<decltype(body)*>(context))(begin, end);
        },
        &body, nullptr);
  }

  // ---- Comparison ----

  /// Who goes on decides which subgroup is first, but that is subgroup_order's affair: progress is about runs that never
  /// end.
  static bool is_mere_order(const Run& run) {
    return run.setting.asked == std::vector{Choice::progress} && run.result.error.empty();
  }

  Counterexample counterexample(Run run) const {
    const Dimensions on = differences(run.setting, base_, run.questions);
    return {std::move(run.setting), std::move(run.questions), on, *run.difference,
            std::move(run.result)};
  }

  /// Whether the run's result differs. Of those that do, the first with another content is kept, and of these the one
  /// in the fewest dimensions.
  bool note(Run run) {
    if (!run.difference || is_mere_order(run)) return false;
    for (std::size_t b = 0; b < run.only_order.size(); ++b)
      if (run.only_order[b]) verdict_.only_order[b] = true;
    Counterexample found = counterexample(std::move(run));
    const auto rank = [](const Counterexample& c) {
      return std::pair(c.difference.only_order, c.on.list().size());
    };
    if (!smallest_ || rank(found) < rank(*smallest_)) {
      smallest_ = std::move(found);
      if (request_.found) request_.found(*smallest_);
    }
    return true;
  }
  bool all_noted(const std::vector<Start>& starts) {
    bool differed = false;
    all(starts, [&](Run run) { differed = note(std::move(run)) || differed; });
    return differed;
  }

  // ---- Dimensions of settings ----

  void vary(Dimension dimension, const std::vector<Start>& starts, bool is_everything) {
    if (!request_.vary.has(dimension)) return;
    if (all_noted(starts)) verdict_.on.add(dimension);
    if (is_everything && !is_over()) verdict_.exhausted.add(dimension);
  }
  /// The first setting with each of the values in one member.
  template <class T>
  std::vector<Start> settings_with(T Setting::*member, const std::vector<T>& values) const {
    std::vector<Start> starts;
    for (const T& value : values) {
      Setting setting = base_;
      setting.*member = value;
      starts.push_back(start_of(setting));
    }
    return starts;
  }
  std::vector<Start> sizes() const {
    std::vector<int> others = request_.sizes;
    std::erase(others, base_.subgroup_size);
    return settings_with(&Setting::subgroup_size, others);
  }
  std::vector<Mapping> mappings() const {
    std::vector<Mapping> found = {Mapping::reversed()};
    if (request_.quads) found.push_back(Mapping::quads());
    for (std::uint64_t seed = 1; seed <= random_orders; ++seed)
      found.push_back(Mapping::shuffled(seed));
    return found;
  }
  /// So few that all of their orders are tried.
  bool has_few_workgroups() const { return request_.workgroups <= 5; }
  std::vector<WorkgroupOrder> orders() const {
    if (has_few_workgroups()) {
      std::uint64_t all = 1;
      for (std::uint64_t k = 2; k <= request_.workgroups; ++k) all *= k;
      std::vector<WorkgroupOrder> found;
      for (std::uint64_t k = 1; k < all; ++k) found.push_back(WorkgroupOrder::permutation(k));
      return found;
    }
    std::vector<WorkgroupOrder> found = {WorkgroupOrder::reversed()};
    for (std::uint64_t seed = 1; seed <= random_orders; ++seed)
      found.push_back(WorkgroupOrder::shuffled(seed));
    return found;
  }

  // ---- Dimensions of choices ----

  /// One after another, each with an equal part of the runs that are left: their combinations need runs, too.
  void vary_choices() {
    const std::vector<Choice> choices = choices_of(request_.vary);
    for (std::size_t k = 0; k < choices.size(); ++k)
      vary_choice(choices[k], runs_left() / (choices.size() - k + 1));
  }

  /// First the last option everywhere, and answers at random, which finds most mistakes; then every sequence of
  /// answers, those with the fewest choices first.
  void vary_choice(Choice choice, std::uint64_t most_runs) {
    const Dimension dimension = dimension_of(choice);
    const std::uint64_t until = verdict_.runs + most_runs;
    Setting setting = base_;
    setting.asked = {choice};
    ChoiceTree tree;
    bool differs = false, is_asked = false;
    const auto try_next = [&] {
      std::vector<Start> starts;
      while (starts.size() < batch_runs) {
        const auto answers = tree.next();
        if (!answers) break;
        setting.answers = *answers;
        starts.push_back(start_of(setting));
      }
      std::size_t number = 0;
      all(starts, [&](Run run) {
        is_asked = is_asked || !run.questions.empty();
        tree.ran(starts[number++].setting.answers, run.setting.answers, run.questions);
        differs = note(std::move(run)) || differs;
      });
    };
    try_next();
    if (is_asked) differs = all_noted(unsystematic(setting)) || differs;
    while (!tree.exhausted() && !is_over() && verdict_.runs < until &&
           !(differs && smallest_is_minimal()))
      try_next();
    if (differs) verdict_.on.add(dimension);
    if (tree.exhausted()) verdict_.exhausted.add(dimension);
  }
  static std::vector<Start> unsystematic(const Setting& setting) {
    std::vector<Start> starts = {{setting, Chooser::rejoin_none().only(setting.asked)}};
    for (std::uint64_t seed = 1; seed <= random_sequences; ++seed)
      starts.push_back({setting, Chooser::random(seed).only(setting.asked)});
    return starts;
  }
  /// One choice that changes the result is enough.
  bool smallest_is_minimal() const {
    return smallest_ && smallest_->on.list().size() == 1 && !smallest_->difference.only_order;
  }

  // ---- All dimensions ----

  /// At once, at random.
  void vary_all() {
    if (smallest_ || request_.vary == verdict_.exhausted) return;
    while (!is_over()) {
      std::vector<Start> starts;
      for (std::size_t k = 0; k < batch_runs; ++k) starts.push_back(random_start(++verdict_.seeds));
      if (all_noted(starts)) return;
    }
  }
  Start random_start(std::uint64_t seed) const {
    const auto pick = [&](std::size_t count, std::uint64_t salt) {
      return static_cast<std::size_t>(
          Chooser::random(seed * 8 + salt).choose(static_cast<std::uint32_t>(count), {}));
    };
    Setting setting = base_;
    if (request_.vary.has(Dimension::subgroup_size) && !request_.sizes.empty())
      setting.subgroup_size = request_.sizes[pick(request_.sizes.size(), 1)];
    if (request_.vary.has(Dimension::mapping))
      setting.mapping = mappings()[pick(mappings().size(), 2)];
    if (request_.vary.has(Dimension::partial_subgroups) &&
        request_.may_be_partial(setting.subgroup_size)) {
      const Mapping filled = fillings(base_.mapping)[pick(fillings(base_.mapping).size(), 5)];
      setting.mapping = setting.mapping.filled(filled.filling, filled.filling_seed);
    }
    if (request_.vary.has(Dimension::workgroup_order) && request_.workgroups > 1)
      setting.order = orders()[pick(orders().size(), 3)];
    setting.asked = choices_of(request_.vary);
    return {setting, Chooser::random(seed * 8 + 4).only(setting.asked)};
  }

  // ---- The smallest ----

  /// Undoes one choice after another as long as the result still differs. Ranks do the same.
  void shrink() {
    const Setting& first = base_;
    const auto without = [&](Dimension dimension, auto change) {
      if (!smallest_->on.has(dimension)) return;
      Setting smaller = smallest_->setting;
      change(smaller);
      take_if_differs(smaller);
    };
    without(Dimension::mapping, [&](Setting& s) {
      s.mapping = first.mapping.filled(s.mapping.filling, s.mapping.filling_seed);
    });
    without(Dimension::partial_subgroups, [&](Setting& s) {
      s.mapping = s.mapping.filled(first.mapping.filling, first.mapping.filling_seed);
    });
    without(Dimension::workgroup_order, [&](Setting& s) { s.order = first.order; });
    without(Dimension::subgroup_size, [&](Setting& s) { s.subgroup_size = first.subgroup_size; });
    shrink_asked();
    shrink_answers();
    shrink_asked();
    lower_answers();
    if (smallest_->on.list().size() == 1) verdict_.on.add(smallest_->on.list().front());
  }
  bool take_if_differs(const Setting& smaller) {
    Run run = once(start_of(smaller));
    ++verdict_.runs;
    if (!run.difference) return false;
    if (run.difference->only_order && !smallest_->difference.only_order) return false;
    smallest_ = counterexample(std::move(run));
    return true;
  }
  /// Asks one kind of choice after another no more.
  void shrink_asked() {
    for (const Choice choice : std::vector(smallest_->setting.asked)) {
      Setting smaller = smallest_->setting;
      std::erase(smaller.asked, choice);
      smaller.answers.clear();
      for (std::size_t k = 0; k < smallest_->questions.size(); ++k) {
        if (smallest_->questions[k].choice != choice)
          smaller.answers.push_back(smallest_->setting.answers[k]);
      }
      take_if_differs(smaller);
    }
  }
  /// Halves, quarters and so on of the answers that are not zero become zero, then each by itself.
  void shrink_answers() {
    const auto chosen = [&] {
      std::vector<std::size_t> at;
      for (std::size_t k = 0; k < smallest_->setting.answers.size(); ++k) {
        if (smallest_->setting.answers[k] != 0) at.push_back(k);
      }
      return at;
    };
    for (std::size_t part = std::max<std::size_t>(chosen().size(), 1); part > 0; part /= 2) {
      for (std::size_t begin = 0;;) {
        const std::vector<std::size_t> at = chosen();
        if (begin >= at.size()) break;
        Setting smaller = smallest_->setting;
        for (std::size_t k = begin; k < std::min(begin + part, at.size()); ++k)
          smaller.answers[at[k]] = 0;
        // Answers after the last choice may not fit any more.
        while (!smaller.answers.empty() && smaller.answers.back() == 0) smaller.answers.pop_back();
        if (!take_if_differs(smaller)) begin += part;
      }
    }
  }

  /// The first other option is the simplest one.
  void lower_answers() {
    for (std::size_t k = 0; k < smallest_->setting.answers.size(); ++k) {
      if (smallest_->setting.answers[k] < 2) continue;
      Setting smaller = smallest_->setting;
      smaller.answers[k] = 1;
      take_if_differs(smaller);
    }
  }

  const Subject& subject_;
  const Request& request_;
  Setting base_;  ///< the first setting, for all runs after the first
  Clock::time_point end_;
  bool stopped_ = false;
  bool lost_ = false;  ///< ranks are
  Verdict verdict_;
  std::optional<Baseline> baseline_;  ///< verdict_.first
  std::optional<Counterexample> smallest_;
};

}  // namespace

std::vector<Mapping> fillings(const Mapping& first) {
  std::vector<Mapping> found = {first.filled(Mapping::Filling::even)};
  for (std::uint64_t seed = 1; seed <= random_orders; ++seed)
    found.push_back(first.filled(Mapping::Filling::random, seed));
  return found;
}

Verdict explore(const Subject& subject, const Request& request) {
  return Exploration(subject, request).run();
}

}  // namespace lockstep::explore
