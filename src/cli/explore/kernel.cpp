#include "cli/explore/kernel.hpp"

#include <utility>

#include <lockstep/dispatch/device.hpp>

#include "registry/registry.hpp"

namespace lockstep::cli {

explore::Result KernelSubject::operator()(const explore::Setting& setting, Chooser& chooser,
                                          Observer* observer) const {
  kernels::KernelCase job =
      entry_.make_case(entry_.make_input(elements_, seed_), setting.subgroup_size);
  const kernels::KernelCase before = job;
  const std::uint64_t max_trips = setting.max_steps == 0 ? default_max_trips : setting.max_steps;
  const Convergence convergence{
      .rule = setting.rule, .chooser = &chooser, .observer = observer, .max_trips = max_trips};
  const Device device{.subgroup_size = setting.subgroup_size,
                      .threads = 1,
                      .mapping = setting.mapping,
                      .order = setting.order,
                      .max_trips = max_trips,
                      .faults = Faults::counted};
  FaultLog faults =
      kernels::run(device, job, needs_tangles(setting, observer) ? &convergence : nullptr);
  std::string wrong = faults.count() > 0 ? to_string(faults.first()) : entry_.verify(before, job);
  return {{}, std::move(wrong), 0, std::move(faults)};
}

explore::Dimensions not_of_kernels() {
  explore::Dimensions dimensions;
  dimensions.add(explore::Dimension::late_break);
  dimensions.add(explore::Dimension::side_order);
  return dimensions;
}

}  // namespace lockstep::cli
