#include "cli/explore_kernel.hpp"

#include <lockstep/dispatch/device.hpp>

#include "kernels/registry.hpp"

namespace lockstep::cli {

explore::Result KernelSubject::operator()(const explore::Setting& setting, Chooser& chooser,
                                          Observer* observer) const {
  kernels::Job job = entry_.make_job(entry_.make_input(elements_, seed_), setting.subgroup_size);
  const kernels::Job before = job;
  const std::uint64_t max_trips = setting.max_steps == 0 ? default_max_trips : setting.max_steps;
  const Convergence convergence{
      .rule = setting.rule, .chooser = &chooser, .observer = observer, .max_trips = max_trips};
  const Device device{.subgroup_size = setting.subgroup_size,
                      .threads = 1,
                      .mapping = setting.mapping,
                      .max_trips = max_trips,
                      .faults = Faults::counted};
  const FaultLog faults =
      kernels::run(device, job, needs_tangles(setting, observer) ? &convergence : nullptr);
  return {{}, faults.count() > 0 ? to_string(faults.first()) : entry_.check(before, job)};
}

explore::Dimensions dimensions_of_kernels() {
  explore::Dimensions dimensions;
  for (const explore::Dimension d :
       {explore::Dimension::convergence, explore::Dimension::switch_grouping,
        explore::Dimension::fallthrough, explore::Dimension::subgroup_size,
        explore::Dimension::mapping, explore::Dimension::partial_subgroups,
        explore::Dimension::subgroup_order, explore::Dimension::progress})
    dimensions.add(d);
  return dimensions;
}

}  // namespace lockstep::cli
