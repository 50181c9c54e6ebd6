#include "python/jobs.hpp"

#include <pybind11/stl.h>

#include <utility>

#include "io/spec_constants.hpp"
#include "python/bind.hpp"

namespace lockstep::python {
namespace {

job::Job job_of(const Module& module, const std::string& entry,
                const std::vector<std::string>& constants, const Arguments& arguments,
                const How& how, int subgroup_size) {
  job::Job made = arguments.to_job();
  made.name = made.source = module.name();
  made.words.assign(module.words().begin(), module.words().end());
  made.entry = entry;
  for (const auto& [id, value] : io::specialization(constants, constants_of(module)))
    made.constants.push_back({id, value.integer(), value.bytes() == 0 ? 4 : value.bytes()});
  made.groups = how.groups;
  made.subgroup_size = subgroup_size;
  return made;
}

}  // namespace

JobOf::JobOf(const Module& module, const std::string& entry,
             const std::vector<std::string>& constants, const Arguments& arguments,
             const How& given, int subgroup_size)
    : replay(job_of(module, entry, constants, arguments, given, subgroup_size), module),
      how(given) {}

std::vector<std::size_t> JobOf::written() const {
  std::vector<std::size_t> numbers;
  const auto& bindings = replay.job().bindings;
  for (std::size_t k = 0; k < bindings.size(); ++k)
    if (bindings[k].writable) numbers.push_back(k);
  return numbers;
}

void add_jobs(py::module_& m) {
  py::class_<JobOf, std::shared_ptr<JobOf>>(m, "Job")
      .def(py::init([](const Module& module, const std::string& entry,
                       const std::vector<std::string>& constants, const Arguments& arguments,
                       const How& how, int subgroup_size) {
        return std::make_shared<JobOf>(module, entry, constants, arguments, how, subgroup_size);
      }))
      .def_property_readonly("written",
                             [](const JobOf& job) {
                               py::list made;
                               for (const std::size_t k : job.written()) {
                                 const job::Binding& binding = job.replay.job().bindings[k];
                                 made.append(py::make_tuple(binding.name, binding.element));
                               }
                               return made;
                             })
      .def("save", [](const JobOf& job, const std::string& folder) {
        job::write(folder, job.replay.job());
      });
}

}  // namespace lockstep::python
