#include <lockstep/config.hpp>

#include <fmt/format.h>

#include "python/bind.hpp"

PYBIND11_MODULE(_lockstep, m) {
  namespace python = lockstep::python;
  m.doc() = "The implementation of the package lockstep, which is what to import.";
  m.attr("__version__") = fmt::format("{}.{}.{}", LOCKSTEP_VERSION_MAJOR, LOCKSTEP_VERSION_MINOR,
                                      LOCKSTEP_VERSION_PATCH);
  python::add_errors();
  python::add_findings(m);
  python::add_modules(m);
  python::add_arguments(m);
  python::add_pipelines(m);
  python::add_subgroup(m);
  python::add_jobs(m);
  python::add_explore(m);
  python::add_trace(m);
  python::add_judge(m);
  python::add_devices(m);
}
