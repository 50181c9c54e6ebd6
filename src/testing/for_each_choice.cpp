#include <lockstep/testing/for_each_choice.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

/// The choices as text: what Chooser::parse takes, and the places of those that keep lanes apart.
std::string choices_of(const Chooser& chooser) {
  std::vector<std::string> places;
  for (std::size_t k = 0; k < chooser.made().size(); ++k) {
    if (chooser.made()[k] == 0) continue;
    const SourceLocation& where = chooser.asked()[k].where;
    const std::string place = fmt::format("{}:{}", where.file, where.line);
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  if (places.empty()) return "rejoin-all";
  return fmt::format("replay:{} (lanes stay apart at {})", chooser.made_as_text(),
                     fmt::join(places, ", "));
}

}  // namespace

bool run_choices(Rule rule, std::uint64_t most,
                 bool (*test)(void* context, const Convergence& convergence), void* context) {
  ChoiceTree tree;
  for (std::uint64_t run = 0; run < most; ++run) {
    const auto answers = tree.next();
    if (!answers) return true;
    Chooser chooser = Chooser::start_with(*answers);
    const Convergence convergence{.rule = rule, .chooser = &chooser};
    std::string wrong;
    try {
      const WatchedTest watching(fmt::format("under {} convergence with the choices {}{}rejoin-all",
                                             to_string(rule), fmt::join(*answers, ","),
                                             answers->empty() ? "" : ", then "));
      if (!test(context, convergence)) wrong = "the test returned false";
      if (watching.failed()) return false;
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty())
      throw Error(fmt::format("under {} convergence the choices {} fail, and none with fewer: {}",
                              to_string(rule), choices_of(chooser), wrong));
    tree.ran(*answers, chooser);
  }
  return tree.exhausted();
}

}  // namespace lockstep
