#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::io {

/// The candidate that a misspelt word is most like: with the fewest letters inserted, removed, replaced or exchanged with
/// the next one. Empty if more than a third of the word would have to change.
std::string most_similar(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lockstep::io
