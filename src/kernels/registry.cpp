#include "kernels/registry.hpp"

#include <algorithm>

#include "kernels/list.hpp"

namespace lockstep::kernels {

std::span<const Entry> all_kernels() {
#define LOCKSTEP_ENTRY(name) name##_entry(),
  static const Entry entries[] = {LOCKSTEP_KERNELS(LOCKSTEP_ENTRY)};
#undef LOCKSTEP_ENTRY
  return entries;
}

const Entry* find_kernel(std::string_view name) {
  const auto entries = all_kernels();
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

FaultLog run(const Device& device, Job& job, const Convergence* convergence) {
  FaultLog faults;
  for (const Pass& pass : job.passes) faults.merge(pass.run(device, convergence, pass, job));
  return faults;
}

}  // namespace lockstep::kernels
