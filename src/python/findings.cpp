#include "python/findings.hpp"

#include <pybind11/stl.h>

#include <string>

#include <nlohmann/json.hpp>

#include <lockstep/exec/checks.hpp>

namespace lockstep::python {
namespace {

py::object other_of(const Finding& finding) {
  if (!finding.other) return py::none();
  const OtherEnd& other = *finding.other;
  py::dict made;
  made["place"] = place_of(other.where);
  made["message"] = other.message;
  made["workgroup"] = tuple_of(other.workgroup);
  made["subgroup"] = other.subgroup;
  made["lanes"] = tuple_of(other.lanes);
  return made;
}

std::string text_of(const Finding& finding) {
  std::string text = report::to_diagnostic(finding);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

py::object origin_of(const Finding& finding) {
  if (finding.origin.line == 0) return py::none();
  py::dict made;
  made["place"] = place_of(finding.origin);
  made["message"] = finding.origin_message;
  return made;
}

}  // namespace

py::list list_of(const report::Findings& findings) {
  py::list made;
  for (const Finding& finding : findings.list) made.append(py::cast(finding));
  return made;
}

py::tuple tuple_of(LaneSet lanes) {
  py::tuple made(static_cast<std::size_t>(lanes.count()));
  std::size_t at = 0;
  for_each_lane(lanes, [&](int lane) { made[at++] = lane; });
  return made;
}

py::object place_of(const SourceLocation& where) {
  if (where.line == 0) return py::none();
  return py::make_tuple(where.file, where.line, where.column);
}

void add_findings(py::module_& m) {
  py::class_<Finding>(m, "Finding",
                      "A misbehaviour of a shader in one place, however often it happened. Its "
                      "text is a diagnostic as the\n"
                      "program prints it.")
      .def_property_readonly(
          "rule", [](const Finding& f) { return std::string(f.rule); },
          "The rule's name in docs/reference/rules.md: 'data-race'.")
      .def_property_readonly(
          "severity", [](const Finding& f) { return std::string(to_string(f.severity)); },
          "'note', 'warning' or 'error'.")
      .def_readonly("message", &Finding::message, "What happened, in the first of the lanes.")
      .def_property_readonly(
          "file", [](const Finding& f) { return std::string(f.where.file); }, "The source.")
      .def_property_readonly(
          "line", [](const Finding& f) { return f.where.line; }, "From 1; 0 if it is not known.")
      .def_property_readonly(
          "column", [](const Finding& f) { return f.where.column; },
          "From 1; 0 if it is not known.")
      .def_property_readonly(
          "workgroup", [](const Finding& f) { return tuple_of(f.workgroup); },
          "gl_WorkGroupID of the first: (x, y, z).")
      .def_readonly("subgroup", &Finding::subgroup, "gl_SubgroupID of the first.")
      .def_property_readonly(
          "lanes", [](const Finding& f) { return tuple_of(f.lanes); },
          "gl_SubgroupInvocationID of all lanes where it happened, in all subgroups.")
      .def_readonly("count", &Finding::count, "How often it happened, each lane counted.")
      .def_property_readonly(
          "memory", [](const Finding& f) { return std::string(memory_of(f)); },
          "'shared', 'buffer', 'image', 'private', or '' for rules that are not about memory.")
      .def_property_readonly("origin", origin_of,
                             "Where the offending value came from: a dict of place (file, line, "
                             "column) and message, or None.")
      .def_property_readonly("other", other_of,
                             "The other end, as the earlier access of a race: a dict of place, "
                             "message, workgroup, subgroup and\n"
                             "lanes, or None.")
      .def("__repr__", text_of)
      .def("__str__", text_of)
      .def(
          "to_json", [](const Finding& f) { return report::to_json(f).dump(); },
          "As lockstep run --json writes it.");
  m.def(
      "sarif",
      [](const std::vector<Finding>& list) {
        return report::to_sarif({list, 0}).dump(2);
      },
      py::arg("findings"));
  m.def(
      "all_checks",
      [] {
        py::list made;
        for (const CheckInfo& check : all_checks())
          made.append(py::make_tuple(std::string(check.name),
                                     std::string(to_string(check.severity)),
                                     std::string(check.meaning)));
        return made;
      },
      "The rules of checked runs: (name, severity, meaning).");
}

}  // namespace lockstep::python
