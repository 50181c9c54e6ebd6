#pragma once

#include <pybind11/pybind11.h>

/// \file
/// The parts of the extension module lockstep._lockstep. The package lockstep, which people import, is Python in
/// src/python/lockstep.

namespace lockstep::python {

namespace py = pybind11;

void add_errors();
void add_findings(py::module_& m);
void add_modules(py::module_& m);
void add_arguments(py::module_& m);
void add_pipelines(py::module_& m);
void add_subgroup(py::module_& m);
void add_jobs(py::module_& m);
void add_explore(py::module_& m);
void add_trace(py::module_& m);
void add_judge(py::module_& m);
void add_devices(py::module_& m);

}  // namespace lockstep::python
