#include <lockstep/exec/choice_tree.hpp>

#include <algorithm>
#include <utility>

namespace lockstep {

ChoiceTree::ChoiceTree(std::vector<Choice> open) : open_(std::move(open)), waiting_{{}} {}

bool ChoiceTree::is_open(Choice choice) const {
  return std::ranges::find(open_, choice) != open_.end();
}

std::optional<std::vector<std::uint32_t>> ChoiceTree::next() {
  if (waiting_.empty()) return std::nullopt;
  std::vector<std::uint32_t> answers = std::move(waiting_.front());
  waiting_.pop_front();
  return answers;
}

/// The sequences with one more choice are those that agree with this one up to its end, and differ in one of the
/// answers behind, which were all 0.
void ChoiceTree::ran(const std::vector<std::uint32_t>& answers, const Chooser& chooser) {
  for (std::size_t k = answers.size(); k < chooser.asked().size(); ++k) {
    const Chooser::Question& question = chooser.asked()[k];
    if (!is_open(question.choice)) continue;
    for (std::uint32_t answer = 1; answer < question.options; ++answer) {
      std::vector<std::uint32_t> more(chooser.made().begin(),
                                      chooser.made().begin() + static_cast<std::ptrdiff_t>(k));
      more.push_back(answer);
      waiting_.push_back(std::move(more));
    }
  }
}

}  // namespace lockstep
