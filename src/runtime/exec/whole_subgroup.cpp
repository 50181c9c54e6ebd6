#include <lockstep/exec/whole_subgroup.hpp>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {

void fail::not_whole_subgroup(SourceLocation where, const char* what, LaneSet active,
                              LaneSet missing) {
  const std::string problem =
      missing.any_lane() ? fmt::format("lanes {} are active, lanes {} are not", to_string(active),
                                       to_string(missing))
                         : "all are active, but lanes that took different ways have not rejoined";
  throw Error(fmt::format(
      "{}:{}: {} needs all invocations of the subgroup: {}; move it to where all of them execute "
      "it together, in workgroups whose size the subgroup's divides",
      where.file, where.line, what, problem));
}

}  // namespace lockstep
