#include "shader/ir/operation_text.hpp"

#include <fmt/format.h>

#include "shader/ir/built_ins.hpp"
#include "shader/ir/names.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {

std::string operation_text(const Op& op) {
  if (is_subgroup(op.code)) return fmt::format("{}(x)", spec::function(name_of(op)).name);
  if (const auto* atomic = std::get_if<AtomicOp>(&op.detail))
    return fmt::format("{}(memory, x)", atomic_name(atomic->op));
  if (op.code == Code::convert) return fmt::format("{}(x)", name_of(op.type));
  return operation_of(op.code).text;
}

}  // namespace lockstep::spirv
