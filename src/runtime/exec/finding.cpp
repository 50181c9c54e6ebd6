#include <lockstep/exec/finding.hpp>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

namespace lockstep {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "?";
}

std::string_view memory_of(const Finding& finding) {
  using Kind = MemoryObject::Kind;
  switch (finding.access.object.kind) {
    case Kind::shared:
      return "shared";
    case Kind::buffer:
    case Kind::push_constants:
      return "buffer";
    case Kind::image:
    case Kind::sampler:
      return "image";
    case Kind::private_memory:
      return "private";
    case Kind::none:
      break;
  }
  return "";
}

std::string to_string(const LaneAccess& access) {
  using Unit = LaneAccess::Unit;
  const std::string verb = access.kind == AccessKind::read    ? "read of"
                           : access.kind == AccessKind::write ? "write to"
                                                              : "atomic on";
  const std::string object = to_string(access.object);
  if (access.object.kind == MemoryObject::Kind::none) return fmt::format("{} {}", verb, object);
  switch (access.unit) {
    case Unit::byte:
      return fmt::format("{} byte {} of {}, which has {} bytes", verb, access.index, object,
                         access.size);
    case Unit::element:
      return fmt::format("{} element {} of {}, which has {}", verb, access.index, object,
                         access.size);
    case Unit::inner_element:
      return fmt::format("{} element {} of an array of {} in {}", verb, access.index, access.size,
                         object);
    case Unit::coordinate:
      return fmt::format("{} coordinate {} of {}, whose extent there is {}", verb, access.index,
                         object, access.size);
    case Unit::texel:
      return fmt::format("{} a texel outside of {}, which has {}", verb, object, access.size);
  }
  return "?";
}

std::string to_string(const Finding& finding) {
  std::string text;
  if (finding.where.line > 0)
    text = fmt::format("{}:{}: ", finding.where.file, finding.where.line);
  else if (*finding.where.file != 0)
    text = fmt::format("{}: ", finding.where.file);
  text += fmt::format("{}: {} [{}]", to_string(finding.severity), finding.message, finding.rule);
  if (finding.origin.line > 0)
    text += fmt::format(", from {}:{}", finding.origin.file, finding.origin.line);
  text += fmt::format(", workgroup ({}, {}, {}), subgroup {}", finding.workgroup.x,
                      finding.workgroup.y, finding.workgroup.z, finding.subgroup);
  if (finding.lanes.any_lane())
    text += fmt::format(", {} {}", finding.lanes.count() == 1 ? "lane" : "lanes",
                        to_string(finding.lanes));
  if (finding.count > 1) text += fmt::format(", {} times", finding.count);
  return text;
}

}  // namespace lockstep
