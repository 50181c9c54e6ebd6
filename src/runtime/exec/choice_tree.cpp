#include <lockstep/exec/choice_tree.hpp>

#include <utility>

namespace lockstep {

void ChoiceTree::skip_single_options(Run& run) {
  while (run.at < run.options.size() && run.answer >= run.options[run.at]) {
    ++run.at;
    run.answer = 1;
  }
}

std::optional<std::vector<std::uint32_t>> ChoiceTree::next() {
  if (!std::exchange(started_, true)) {
    ++running_;
    return std::vector<std::uint32_t>();
  }
  if (runs_.empty()) return std::nullopt;
  Run& run = runs_.front();
  std::vector<std::uint32_t> answers(run.made.begin(),
                                     run.made.begin() + static_cast<std::ptrdiff_t>(run.at));
  answers.push_back(run.answer++);
  skip_single_options(run);
  if (run.at == run.options.size()) runs_.pop_front();
  ++running_;
  return answers;
}

/// The sequences with one more choice are those that agree with this one up to its end, and differ in one of the
/// answers after it, which were all 0.
void ChoiceTree::ran(const std::vector<std::uint32_t>& answers,
                     const std::vector<std::uint32_t>& made,
                     const std::vector<Chooser::Question>& asked) {
  --running_;
  Run run{made, {}, answers.size()};
  for (const Chooser::Question& question : asked) run.options.push_back(question.options);
  skip_single_options(run);
  if (run.at < run.options.size()) runs_.push_back(std::move(run));
}

}  // namespace lockstep
