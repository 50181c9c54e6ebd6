#include <lockstep/exec/choice_tree.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

using namespace lockstep;

namespace {

using Answers = std::vector<std::uint32_t>;
constexpr SourceLocation here{"run.comp", 1}, there{"run.comp", 2};

/// All sequences that the tree gives, completed by their runs, in its order.
template <class Run>
std::vector<Answers> sequences(ChoiceTree tree, Run run) {
  std::vector<Answers> all;
  while (const auto answers = tree.next()) {
    Chooser chooser = Chooser::start_with(*answers);
    run(chooser);
    all.push_back(chooser.made());
    tree.ran(*answers, chooser);
  }
  CHECK(tree.exhausted());
  return all;
}

std::ptrdiff_t choices_in(const Answers& answers) {
  return std::ranges::count_if(answers, [](std::uint32_t a) { return a != 0; });
}

}  // namespace

TEST_CASE("ChoiceTree: every sequence comes once, those with fewer choices first") {
  const auto run = [](Chooser& chooser) {
    for (const std::uint32_t options : {2u, 3u, 1u, 2u}) chooser.choose(options, here);
  };
  const std::vector<Answers> all = sequences(ChoiceTree(), run);
  std::set<Answers> expected;
  for (std::uint32_t a = 0; a < 2; ++a)
    for (std::uint32_t b = 0; b < 3; ++b)
      for (std::uint32_t d = 0; d < 2; ++d) expected.insert({a, b, 0, d});
  CHECK(all.size() == expected.size());
  CHECK(std::set(all.begin(), all.end()) == expected);
  CHECK(std::ranges::is_sorted(all, {}, choices_in));
  CHECK(all.front() == Answers{0, 0, 0, 0});
}

TEST_CASE("ChoiceTree: what is asked may depend on the answers") {
  const auto run = [](Chooser& chooser) {
    if (chooser.choose(3, here) != 1) return;
    chooser.choose(2, there);
    chooser.choose(2, there);
  };
  const std::vector<Answers> all = sequences(ChoiceTree(), run);
  CHECK(std::multiset(all.begin(), all.end()) ==
        std::multiset<Answers>{{0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}, {2}});
}

TEST_CASE("ChoiceTree: several runs at once give the same sequences in the same order") {
  const auto run = [](Chooser& chooser) {
    for (const std::uint32_t options : {3u, 2u, 1u, 4u}) {
      if (chooser.choose(options, here) == 2) chooser.choose(2, there);
    }
  };
  ChoiceTree tree;
  std::vector<Answers> all;
  while (!tree.exhausted()) {
    std::vector<Answers> batch;
    while (batch.size() < 7) {
      const auto answers = tree.next();
      if (!answers) break;
      batch.push_back(*answers);
    }
    for (const Answers& answers : batch) {
      Chooser chooser = Chooser::start_with(answers);
      run(chooser);
      all.push_back(chooser.made());
      tree.ran(answers, chooser);
    }
  }
  CHECK(all == sequences(ChoiceTree(), run));
}
