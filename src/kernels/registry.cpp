#include "kernels/registry.hpp"

#include <algorithm>
#include <vector>

#include "dispatch/instruction_set.hpp"
#include "kernels/list.hpp"

namespace lockstep::kernels {

namespace {

const EntryList& entries() {
#ifdef LOCKSTEP_HAS_PARTS
  return for_this_processor(lockstep_kernels_baseline, lockstep_kernels_avx2,
                            lockstep_kernels_avx512);
#else
  return lockstep_kernels_baseline;
#endif
}

}  // namespace

std::span<const Entry> all_kernels() {
  static const std::vector<Entry> made = [] {
    std::vector<Entry> all;
    for (const auto make : entries()) all.push_back(make());
    return all;
  }();
  return made;
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
