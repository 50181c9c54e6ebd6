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

WorkSum::WorkSum(const Program& program) : program_(program), counts_(program.counters.size()) {}

void WorkSum::add(std::uint64_t divergences, const std::vector<Count>& counts) {
  divergences_ += divergences;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    counts_[k].times += counts[k].times;
    counts_[k].lanes += counts[k].lanes;
  }
}

WorkCounts WorkSum::take(std::uint64_t subgroups) const {
  return {subgroups, divergences_, lines(), branches()};
}

std::vector<LineCount> WorkSum::lines() const {
  // A counter may count a line negatively: for lanes that were at it before.
  std::map<Place, LineCount> sums;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (const CountedLine& counted : program_.counters[k]) {
      LineCount& line = sums[{counted.where.file, counted.where.line}];
      const auto factor = static_cast<std::uint64_t>(counted.times);
      line.where = counted.where;
      line.times += factor * counts_[k].times;
      line.lanes += factor * counts_[k].lanes;
    }
  }
  std::vector<LineCount> lines;
  for (const auto& [place, line] : sums) {
    if (line.times > 0) lines.push_back(line);
  }
  return lines;
}

std::vector<BranchCount> WorkSum::branches() const {
  std::map<Place, BranchCount> sums;
  for (const CountedBranch& counted : program_.counted_branches) {
    BranchCount& branch = sums[{counted.where.file, counted.where.line}];
    branch.where = counted.where;
    branch.holding += counts_[counted.holding].lanes;
    branch.failing += counts_[counted.failing].lanes;
  }
  std::vector<BranchCount> branches;
  for (const auto& [place, branch] : sums) branches.push_back(branch);
  return branches;
}

}  // namespace lockstep::spirv
