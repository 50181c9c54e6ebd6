#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

bool continues(Code code) { return code == Code::if_else || code == Code::switch_case; }

}  // namespace

bool Regions::is_inside(std::uint32_t region, std::uint32_t outer) const {
  // Parents precede their children.
  while (region > outer) region = list[region].parent;
  return region == outer;
}

Regions::Regions(const std::vector<Op>& ops)
    : of(ops.size()), loop_end(ops.size()), loop_begin(ops.size()) {
  list.push_back({});
  std::uint32_t current = 0;
  std::vector<std::uint32_t> loops;
  const auto none = static_cast<std::uint32_t>(ops.size());
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    const Op& op = ops[k];
    if (closes_construct(op.code) || continues(op.code)) current = list[current].parent;
    if (op.code == Code::loop_end) loops.pop_back();
    of[k] = current;
    loop_begin[k] = loops.empty() ? 0 : loops.back();
    if (op.code == Code::loop_begin) loops.push_back(k);
    if (opens_construct(op.code) || continues(op.code)) {
      list.push_back({current, construct_of(op), op.code});
      current = static_cast<std::uint32_t>(list.size() - 1);
    }
  }
  std::vector<std::uint32_t> ends;
  for (std::uint32_t k = none; k-- > 0;) {
    if (ops[k].code == Code::loop_begin) ends.pop_back();
    loop_end[k] = ends.empty() ? none : ends.back();
    if (ops[k].code == Code::loop_end) ends.push_back(k);
  }
}

}  // namespace lockstep::spirv
