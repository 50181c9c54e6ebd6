#include "shader/run/code_places.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace lockstep::spirv {
namespace {

/// Each file and line once.
class Places {
 public:
  void add(const SourceLocation& where) {
    if (where.line != 0) of_.try_emplace({where.file, where.line}, where);
  }
  std::vector<SourceLocation> list() const {
    std::vector<SourceLocation> all;
    for (const auto& [line, where] : of_) all.push_back(where);
    return all;
  }

 private:
  std::map<std::pair<std::string_view, int>, SourceLocation> of_;
};

}  // namespace

CodePlaces code_places(const Program& program) {
  Places lines, branches;
  for (const SourceLocation& where : program.counted_lines) lines.add(where);
  for (const CountedBranch& branch : program.counted_branches) branches.add(branch.where);
  if (program.counted) return {lines.list(), branches.list()};
  for (const Op& op : program.ops) {
    if (!is_control(op.code))
      lines.add(op.where);
    else if (op.code == Code::if_begin)
      branches.add(op.where);
  }
  return {lines.list(), branches.list()};
}

}  // namespace lockstep::spirv
