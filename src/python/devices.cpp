#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>

#include "capture/device/run_on.hpp"
#include "capture/vulkan/runner.hpp"
#include "python/bind.hpp"
#include "python/jobs.hpp"

/// \file
/// The machine's Vulkan devices.

namespace lockstep::python {
namespace {

py::list devices() {
  py::list made;
  for (const vulkan::Properties& device : vulkan::devices()) {
    py::dict one;
    one["name"] = device.name;
    one["driver"] = device.driver;
    one["subgroup_size"] = device.subgroup_size;
    one["min_subgroup_size"] = device.min_subgroup_size;
    one["max_subgroup_size"] = device.max_subgroup_size;
    made.append(one);
  }
  return made;
}

/// Runs the job on a device, and returns its subgroup size and the contents of the bindings that the shader may write.
py::tuple captured(const JobOf& job, std::size_t index, std::optional<std::uint32_t> size,
                   const std::string& folder) {
  job::Job run = job.replay.job();
  {
    const py::gil_scoped_release release;
    const vulkan::Device device(index);
    capture::run_on(device, run, size);
    if (!folder.empty()) job::write(folder, run);
  }
  py::list outputs;
  for (const std::size_t k : job.written()) {
    const auto& bytes = run.bindings[k].output;
    outputs.append(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return py::make_tuple(run.subgroup_size, outputs);
}

}  // namespace

void add_devices(py::module_& m) {
  m.def("devices", &devices);
  m.def("capture", &captured);
}

}  // namespace lockstep::python
