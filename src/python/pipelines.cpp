#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "io/choices.hpp"
#include "io/error.hpp"
#include "io/spec_constants.hpp"
#include "python/arguments.hpp"
#include "python/bind.hpp"
#include "python/errors.hpp"
#include "python/findings.hpp"
#include "python/how.hpp"
#include "python/progress.hpp"
#include "report/findings.hpp"

/// \file
/// Pipelines and their dispatches.

namespace lockstep::python {
namespace {

Pipeline make_pipeline(const Module& module, const std::string& entry,
                       const std::vector<std::string>& constants, int subgroup_size, bool robust) {
  try {
    PipelineOptions options;
    options.entry = entry;
    options.specialization = io::specialization(constants, constants_of(module));
    options.subgroup_size = subgroup_size;
    options.robust = robust;
    const py::gil_scoped_release release;
    return Pipeline(module, options);
  } catch (const std::exception&) {
    rethrow_as_compile_error();
  }
}

py::dict to_python(const ShaderInterface& interface) {
  py::dict made;
  made["local_size"] = tuple_of(interface.local_size);
  py::list built_ins;
  for (const std::string_view name : interface.built_ins) built_ins.append(std::string(name));
  made["built_ins"] = built_ins;
  made["shared_memory_bytes"] = interface.shared_memory_bytes;
  made["maximally_reconverges"] = interface.maximally_reconverges;
  made["subgroup_uniform_control_flow"] = interface.subgroup_uniform_control_flow;
  return made;
}

/// What a run gave besides its memory.
py::dict to_python(const ShaderRun& done) {
  report::Findings findings;
  findings.add(done.findings);
  py::dict made;
  made["findings"] = list_of(findings);
  made["more_findings"] = findings.more;
  made["notes"] = done.findings.notes().count == 0 ? "" : to_string(done.findings.notes());
  made["printed"] = done.printed;
  made["steps"] = done.steps;
  made["machine_code"] = done.machine_code;
  return made;
}

py::dict dispatch(const Pipeline& pipeline, const Arguments& arguments, const How& how,
                  const py::object& callback) {
  RunProgress progress(callback);
  HowConvergence convergence(how);
  Dispatch settings = how.dispatch();
  settings.convergence = convergence.get();
  settings.progress = &progress;
  settings.addresses = &AddressSpace::of_process();
  settings.push_constants = arguments.push_constants();
  ShaderRun done;
  {
    const py::gil_scoped_release release;
    done = pipeline.dispatch(arguments.table(), settings);
  }
  return to_python(done);
}

const Profile& profile_named(const std::string& name) {
  if (const Profile* found = profile::find(name)) return *found;
  std::string names;
  for (const Profile* one : profile::all())
    names += (names.empty() ? "" : ", ") + std::string(one->name);
  throw io::InputError("profile '" + name + "': there are " + names);
}

py::list profiles() {
  py::list made;
  for (const Profile* profile : profile::all()) {
    py::dict one;
    one["name"] = std::string(profile->name);
    one["description"] = std::string(profile->description);
    one["subgroup_size"] = profile->subgroup_size;
    one["min_subgroup_size"] = profile->min_subgroup_size;
    one["max_subgroup_size"] = profile->max_subgroup_size;
    made.append(one);
  }
  return made;
}

}  // namespace

void add_pipelines(py::module_& m) {
  py::class_<How>(m, "How")
      .def(py::init<>())
      .def_property("groups", nullptr,
                    [](How& how, const std::array<std::uint32_t, 3>& groups) {
                      how.groups = {groups[0], groups[1], groups[2]};
                    })
      .def_readwrite("threads", &How::threads)
      .def_readwrite("max_steps", &How::max_steps)
      .def_readwrite("deterministic", &How::deterministic)
      .def_readwrite("partially_bound", &How::partially_bound)
      .def_property("check", nullptr,
                    [](How& how, const std::string& text) { how.checks = Checks::parse(text); })
      .def_property("lenient", nullptr,
                    [](How& how, bool barriers) { how.lenient.barriers = barriers; })
      .def_property("convergence", nullptr,
                    [](How& how, const std::string& name) { how.rule = io::parse_rule(name); })
      .def_property("choose", nullptr,
                    [](How& how, const std::string& text) {
                      static_cast<void>(Chooser::parse(text));
                      how.choose = text;
                    })
      .def("set_mapping",
           [](How& how, const std::string& mapping, const std::string& partial) {
             how.mapping = io::parse_mapping(mapping, partial);
           })
      .def_property("workgroup_order", nullptr, [](How& how, const std::string& text) {
        how.order = io::parse_workgroup_order(text);
      });
  py::class_<Pipeline>(m, "Pipeline")
      .def(py::init(&make_pipeline))
      .def_property_readonly(
          "interface", [](const Pipeline& pipeline) { return to_python(pipeline.interface()); })
      .def_property_readonly("subgroup_size", &Pipeline::subgroup_size)
      .def("at_subgroup_size", &Pipeline::at_subgroup_size)
      .def("check",
           [](const Pipeline& pipeline, const std::string& profile,
              const std::array<std::uint32_t, 3>& groups) {
             Profile one = profile_named(profile);
             pipeline.check(one, {groups[0], groups[1], groups[2]});
           })
      .def("dispatch", &dispatch);
  m.def("profiles", &profiles);
}

}  // namespace lockstep::python
