#include "registry/registry.hpp"

#include <algorithm>
#include <vector>

#include "registry/list.hpp"
#include "runtime/dispatch/instruction_set.hpp"

namespace lockstep::kernels {

namespace {

#ifdef LOCKSTEP_HAS_PARTS
// What would initialize a part when the program starts, on every processor: src/cmake/isa.cmake puts it aside. It
// notes which features kernels use.
using Initializer = void (*)();
extern "C" {
extern const Initializer avx2_begin[] __asm__("__start_lockstep_kernels_avx2_init");
extern const Initializer avx2_end[] __asm__("__stop_lockstep_kernels_avx2_init");
extern const Initializer avx512_begin[] __asm__("__start_lockstep_kernels_avx512_init");
extern const Initializer avx512_end[] __asm__("__stop_lockstep_kernels_avx512_init");
}

struct Part {
  const EntryList* entries;
  std::span<const Initializer> initializers;
};

const EntryList& entries() {
  const Part part = for_this_processor<Part>(
      {&lockstep_kernels_baseline, {}}, {&lockstep_kernels_avx2, {avx2_begin, avx2_end}},
      {&lockstep_kernels_avx512, {avx512_begin, avx512_end}});
  for (const Initializer initialize : part.initializers) initialize();
  return *part.entries;
}
#else
const EntryList& entries() { return lockstep_kernels_baseline; }
#endif

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

FaultLog run(const Device& device, KernelCase& kernel_case, const Convergence* convergence) {
  FaultLog faults;
  for (const Pass& pass : kernel_case.passes)
    faults.merge(pass.run(device, convergence, pass, kernel_case));
  return faults;
}

}  // namespace lockstep::kernels
