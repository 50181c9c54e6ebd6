#include "shader/run/work_sum.hpp"

#include <cstddef>
#include <map>
#include <string_view>

namespace lockstep::spirv {
namespace {

struct Place {
  std::string_view file;
  int line;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the compiler's 0 for a pointer
  auto operator<=>(const Place&) const = default;
};

}  // namespace

WorkSum::WorkSum(const std::vector<std::vector<CountedLine>>& counters)
    : counters_(counters), counts_(counters.size()) {}

void WorkSum::add(std::uint64_t divergences, const std::vector<Count>& counts) {
  divergences_ += divergences;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    counts_[k].times += counts[k].times;
    counts_[k].lanes += counts[k].lanes;
  }
}

WorkCounts WorkSum::take(std::uint64_t subgroups) const {
  // A counter may count a line negatively: for lanes that were at it before.
  std::map<Place, LineCount> lines;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (const CountedLine& counted : counters_[k]) {
      LineCount& line = lines[{counted.where.file, counted.where.line}];
      const auto factor = static_cast<std::uint64_t>(counted.times);
      line.where = counted.where;
      line.times += factor * counts_[k].times;
      line.lanes += factor * counts_[k].lanes;
    }
  }
  WorkCounts work{subgroups, divergences_, {}};
  for (const auto& [place, line] : lines) {
    if (line.times > 0) work.lines.push_back(line);
  }
  return work;
}

}  // namespace lockstep::spirv
