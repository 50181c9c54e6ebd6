#include "runtime/testing/choices_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {

std::string text_of(const Chooser& chooser) {
  std::vector<std::string> places, kinds;
  const std::vector<Chooser::Question> asked = chooser.asked();
  for (std::size_t k = 0; k < chooser.made().size(); ++k) {
    if (chooser.made()[k] == 0) continue;
    const Chooser::Question& question = asked[k];
    const std::string place = question.where.line == 0
                                  ? std::string(to_string(question.choice))
                                  : fmt::format("{}:{}", question.where.file, question.where.line);
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  if (places.empty()) return "rejoin-all";
  for (const Choice choice : all_choices) {
    if (chooser.asks(choice)) kinds.emplace_back(to_string(choice));
  }
  const bool is_usual = std::ranges::all_of(choices_of_convergence,
                                            [&](Choice choice) { return chooser.asks(choice); });
  return fmt::format("{}replay:{} ({})", is_usual ? "" : fmt::format("{}=", fmt::join(kinds, ",")),
                     chooser.made_as_text(),
                     is_usual ? fmt::format("lanes stay apart at {}", fmt::join(places, ", "))
                              : fmt::format("at {}", fmt::join(places, ", ")));
}

}  // namespace lockstep
