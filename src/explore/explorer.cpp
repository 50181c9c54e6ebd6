#include "explore/explorer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/error.hpp>

namespace lockstep::explore {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

std::vector<std::uint32_t> words_of(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// A run with all that is known about it.
struct Run {
  Setting setting;
  Chooser chooser;
  Result result;
};

/// The choices that belong to some of the dimensions.
std::vector<Choice> choices_of(const Dimensions& dimensions) {
  std::vector<Choice> choices;
  if (dimensions.has(Dimension::convergence)) choices.push_back(Choice::rejoin);
  if (dimensions.has(Dimension::switch_grouping)) choices.push_back(Choice::switch_grouping);
  if (dimensions.has(Dimension::fallthrough)) choices.push_back(Choice::fallthrough);
  return choices;
}
bool is_among(const std::vector<Choice>& choices, Choice choice) {
  return std::ranges::find(choices, choice) != choices.end();
}

class Exploration {
 public:
  Exploration(const Subject& subject, const Request& request)
      : subject_(subject), request_(request), end_(Clock::now() + to_clock(request.most_time)) {}

  Verdict run() {
    first_ = once(request_.first);
    verdict_.runs = 1;
    verdict_.first = first_.result;
    verdict_.only_order.resize(first_.result.buffers.size());
    vary_sizes();
    vary_mapping();
    vary_order();
    vary_choices(Dimension::switch_grouping);
    vary_choices(Dimension::fallthrough);
    vary_choices(Dimension::convergence);
    vary_all();
    if (smallest_) shrink();
    return std::move(verdict_);
  }

 private:
  static Clock::duration to_clock(Seconds seconds) {
    constexpr Seconds most = std::chrono::hours(24 * 365);
    return std::chrono::duration_cast<Clock::duration>(std::min(seconds, most));
  }

  // ---- Runs ----

  bool is_over() const {
    return stopped_ || verdict_.runs >= request_.most_runs || Clock::now() >= end_;
  }

  Run once(const Setting& setting) const {
    return once(setting, Chooser::start_with(setting.answers));
  }
  Run once(const Setting& setting, Chooser chooser) const {
    Run run{setting, std::move(chooser), {}};
    try {
      run.result = subject_(run.setting, run.chooser, nullptr);
    } catch (const Error& error) {
      run.result.error = error.what();
    }
    run.setting.answers = run.chooser.made();
    return run;
  }

  /// Runs them, several at a time; notes those that differ, in their order.
  bool all(const std::vector<Setting>& settings) {
    std::vector<Run> runs(settings.size(), Run{{}, Chooser::rejoin_all(), {}});
    std::size_t done = 0;
    constexpr std::size_t batch = 64;
    bool differed = false;
    while (done < settings.size() && !is_over()) {
      const std::size_t count =
          std::min({batch, settings.size() - done,
                    static_cast<std::size_t>(request_.most_runs - verdict_.runs)});
      parallel(count, [&](std::size_t k) { runs[done + k] = once(settings[done + k]); });
      for (std::size_t k = done; k < done + count; ++k)
        differed = note(std::move(runs[k])) || differed;
      done += count;
      count_runs(count);
    }
    return differed;
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
  void count_runs(std::uint64_t count) {
    verdict_.runs += count;
    if (request_.progress && !request_.progress(verdict_.runs)) stopped_ = true;
  }

  // ---- Comparison ----

  bool is_unordered(std::size_t buffer) const {
    return buffer < request_.unordered.size() && request_.unordered[buffer];
  }
  /// Another content counts more than another order.
  std::optional<Difference> difference(const Result& result) {
    if (result.error != first_.result.error)
      return Difference{0, 0, result.error.empty() ? first_.result.error : result.error};
    std::optional<Difference> found;
    for (std::size_t b = 0; b < result.buffers.size(); ++b) {
      const auto &before = first_.result.buffers[b], &now = result.buffers[b];
      if (before == now) continue;
      const bool only_order = same_words(before, now);
      if (only_order && is_unordered(b)) continue;
      if (only_order) verdict_.only_order[b] = true;
      if (found && (only_order || !found->only_order)) continue;
      const auto at = std::ranges::mismatch(before, now).in1 - before.begin();
      found = Difference{b, static_cast<std::uint64_t>(at), {}, only_order};
    }
    return found;
  }

  /// Whether the run's result differs. Of those that do, the first with another content is kept, and of these the one
  /// in the fewest dimensions.
  bool note(Run run) {
    const auto found = difference(run.result);
    if (!found) return false;
    const Dimensions on = differences(run.setting, request_.first, run.chooser.asked());
    const auto rank = [](const Difference& d, const Dimensions& dimensions) {
      return std::pair(d.only_order, dimensions.list().size());
    };
    if (!smallest_ || rank(*found, on) < rank(smallest_->difference, smallest_->on))
      smallest_ = Counterexample{run.setting, run.chooser.made(),   run.chooser.asked(), on,
                                 *found,      std::move(run.result)};
    return true;
  }

  // ---- Dimensions ----

  void vary(Dimension dimension, const std::vector<Setting>& settings, bool is_everything) {
    if (all(settings)) verdict_.on.add(dimension);
    if (is_everything && !is_over()) verdict_.exhausted.add(dimension);
  }
  void vary_sizes() {
    if (!request_.vary.has(Dimension::subgroup_size)) return;
    std::vector<Setting> settings;
    for (const int size : request_.sizes) {
      if (size == request_.first.subgroup_size) continue;
      settings.push_back(request_.first);
      settings.back().subgroup_size = size;
    }
    vary(Dimension::subgroup_size, settings, true);
  }
  std::vector<Mapping> mappings() const {
    std::vector<Mapping> found = {Mapping::reversed()};
    if (request_.quads) found.push_back(Mapping::quads());
    for (std::uint64_t seed = 1; seed <= 4; ++seed) found.push_back(Mapping::shuffled(seed));
    return found;
  }
  static std::vector<WorkgroupOrder> orders() {
    std::vector<WorkgroupOrder> found = {WorkgroupOrder::reversed()};
    for (std::uint64_t seed = 1; seed <= 4; ++seed) found.push_back(WorkgroupOrder::shuffled(seed));
    return found;
  }
  void vary_mapping() {
    if (!request_.vary.has(Dimension::mapping)) return;
    std::vector<Setting> settings;
    for (const Mapping& mapping : mappings()) {
      settings.push_back(request_.first);
      settings.back().mapping = mapping;
    }
    vary(Dimension::mapping, settings, false);
  }
  void vary_order() {
    if (!request_.vary.has(Dimension::workgroup_order)) return;
    std::vector<Setting> settings;
    for (const WorkgroupOrder& order : orders()) {
      settings.push_back(request_.first);
      settings.back().order = order;
    }
    vary(Dimension::workgroup_order, settings, false);
  }

  /// The answers of a chooser that only some dimensions are asked for.
  Setting answered(Chooser chooser, const std::vector<Choice>& open) const {
    Run run = once(request_.first, std::move(chooser));
    for (std::size_t k = 0; k < run.setting.answers.size(); ++k) {
      if (!is_among(open, run.chooser.asked()[k].choice)) run.setting.answers[k] = 0;
    }
    return run.setting;
  }

  /// First no set rejoins, and at random, which finds most mistakes; then every sequence of answers, those with the
  /// fewest choices first.
  void vary_choices(Dimension dimension) {
    if (!request_.vary.has(dimension) || request_.first.rule == Rule::maximal) return;
    Dimensions one;
    one.add(dimension);
    const std::vector<Choice> open = choices_of(one);
    if (std::ranges::none_of(first_.chooser.asked(),
                             [&](const auto& q) { return is_among(open, q.choice); })) {
      verdict_.exhausted.add(dimension);
      return;
    }
    std::vector<Setting> settings = {answered(Chooser::rejoin_none(), open)};
    constexpr std::uint64_t random_runs = 32;
    for (std::uint64_t seed = 1; seed <= random_runs; ++seed)
      settings.push_back(answered(Chooser::random(seed), open));
    bool differs = all(settings);
    // Half of what is left for this dimension: the others and their combinations need runs, too.
    const std::uint64_t until = verdict_.runs + (request_.most_runs - verdict_.runs) / 2;
    ChoiceTree tree(open);
    tree.ran(*tree.next(), first_.chooser);
    while (!tree.exhausted() && !is_over() && verdict_.runs < until &&
           !(differs && smallest_is_minimal())) {
      Setting setting = request_.first;
      setting.answers = *tree.next();
      Run run = once(setting);
      tree.ran(setting.answers, run.chooser);
      differs = note(std::move(run)) || differs;
      count_runs(1);
    }
    if (differs) verdict_.on.add(dimension);
    if (tree.exhausted()) verdict_.exhausted.add(dimension);
  }
  /// One choice that changes the result is enough.
  bool smallest_is_minimal() const {
    return smallest_ && smallest_->on.list().size() == 1 && !smallest_->difference.only_order;
  }

  /// All dimensions at once, at random.
  void vary_all() {
    if (smallest_ || request_.vary == verdict_.exhausted) return;
    std::uint64_t seed = 0;
    while (!is_over()) {
      std::vector<Setting> settings;
      for (int k = 0; k < 64; ++k) settings.push_back(random_setting(++seed));
      if (all(settings)) return;
    }
  }
  Setting random_setting(std::uint64_t seed) const {
    const auto pick = [&](std::size_t count, std::uint64_t salt) {
      return static_cast<std::size_t>(
          Chooser::random(seed * 8 + salt).choose(static_cast<std::uint32_t>(count), {}));
    };
    Setting setting = request_.first;
    if (request_.vary.has(Dimension::subgroup_size) && !request_.sizes.empty())
      setting.subgroup_size = request_.sizes[pick(request_.sizes.size(), 1)];
    if (request_.vary.has(Dimension::mapping))
      setting.mapping = mappings()[pick(mappings().size(), 2)];
    if (request_.vary.has(Dimension::workgroup_order))
      setting.order = orders()[pick(orders().size(), 3)];
    if (request_.first.rule != Rule::maximal) setting.answers = random_answers(seed * 8 + 4);
    return setting;
  }
  /// More than most runs ask for; those of dimensions that stay the same are zero where the first run asks for them.
  std::vector<std::uint32_t> random_answers(std::uint64_t seed) const {
    Chooser random = Chooser::random(seed);
    const std::vector<Choice> open = choices_of(request_.vary);
    std::vector<std::uint32_t> answers(first_.chooser.asked().size());
    for (std::size_t k = 0; k < answers.size(); ++k) {
      const auto& question = first_.chooser.asked()[k];
      const std::uint32_t answer = random.choose(question.options, question.where);
      if (is_among(open, question.choice)) answers[k] = answer;
    }
    return answers;
  }

  // ---- The smallest ----

  /// Undoes one choice after another as long as the result still differs.
  void shrink() {
    Setting best = smallest_->setting;
    const auto try_it = [&](const Setting& setting) {
      Run run = once(setting);
      ++verdict_.runs;
      const auto found = difference(run.result);
      if (!found || (found->only_order && !smallest_->difference.only_order)) return false;
      best = setting;
      const Dimensions on = differences(run.setting, request_.first, run.chooser.asked());
      smallest_ = Counterexample{setting, run.chooser.made(),   run.chooser.asked(), on,
                                 *found,  std::move(run.result)};
      return true;
    };
    const auto without = [&](auto change) {
      Setting smaller = best;
      change(smaller);
      try_it(smaller);
    };
    const Dimensions on = smallest_->on;
    const Setting& first = request_.first;
    if (on.has(Dimension::mapping)) without([&](Setting& s) { s.mapping = first.mapping; });
    if (on.has(Dimension::workgroup_order)) without([&](Setting& s) { s.order = first.order; });
    if (on.has(Dimension::subgroup_size))
      without([&](Setting& s) { s.subgroup_size = first.subgroup_size; });
    shrink_answers(best, try_it);
    verdict_.smallest = std::move(smallest_);
    for (const Dimension d : verdict_.smallest->on.list()) {
      if (verdict_.smallest->on.list().size() == 1) verdict_.on.add(d);
    }
  }
  /// Halves, quarters and so on of the answers that are not zero become zero, then each by itself.
  template <class Try>
  static void shrink_answers(Setting& best, Try try_it) {
    const auto set = [&] {
      std::vector<std::size_t> at;
      for (std::size_t k = 0; k < best.answers.size(); ++k) {
        if (best.answers[k] != 0) at.push_back(k);
      }
      return at;
    };
    for (std::size_t part = std::max<std::size_t>(set().size(), 1); part > 0; part /= 2) {
      for (std::size_t begin = 0; begin < set().size();) {
        const std::vector<std::size_t> at = set();
        Setting smaller = best;
        for (std::size_t k = begin; k < std::min(begin + part, at.size()); ++k)
          smaller.answers[at[k]] = 0;
        while (!smaller.answers.empty() && smaller.answers.back() == 0) smaller.answers.pop_back();
        if (!try_it(smaller)) begin += part;
      }
    }
  }

  const Subject& subject_;
  const Request& request_;
  Clock::time_point end_;
  bool stopped_ = false;
  Run first_{{}, Chooser::rejoin_all(), {}};
  Verdict verdict_;
  std::optional<Counterexample> smallest_;
};

}  // namespace

bool same_words(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (a.size() != b.size()) return false;
  auto x = words_of(a), y = words_of(b);
  std::ranges::sort(x);
  std::ranges::sort(y);
  return x == y;
}

Verdict explore(const Subject& subject, const Request& request) {
  return Exploration(subject, request).run();
}

}  // namespace lockstep::explore
