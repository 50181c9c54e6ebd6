#include <lockstep/testing/for_each_choice.hpp>

#include <exception>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/exec/error.hpp>

#include "runtime/testing/choices_text.hpp"

namespace lockstep {
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
                              to_string(rule), text_of(chooser), wrong));
    tree.ran(*answers, chooser);
  }
  return tree.exhausted();
}

}  // namespace lockstep
