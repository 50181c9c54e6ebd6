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
  for (const auto& counter : program.counters) {
    for (const CountedLine& counted : counter) lines.add(counted.where);
  }
  if (program.counted) return {lines.list(), {}};
  for (const Op& op : program.ops) {
    if (!is_control(op.code))
      lines.add(op.where);
    else if (op.code == Code::if_begin)
      branches.add(op.where);
  }
  return {lines.list(), branches.list()};
}

}  // namespace lockstep::spirv
