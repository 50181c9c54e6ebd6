#pragma once

#include "explore/explorer.hpp"
#include "registry/kernel_case.hpp"

namespace lockstep::cli {

/// A kernel of kernels/ in C++. The result of a run is what its check says is wrong, if anything.
class KernelSubject {
 public:
  KernelSubject(const kernels::Entry& entry, std::uint64_t elements, std::uint64_t seed)
      : entry_(entry), elements_(elements), seed_(seed) {}

  explore::Result operator()(const explore::Setting& setting, Chooser& chooser,
                             Observer* observer) const;

 private:
  const kernels::Entry& entry_;
  std::uint64_t elements_, seed_;
};

/// What no machine of kernels in C++ can vary: compilers have put the sides of branches, and what is before a break, in
/// their order.
explore::Dimensions not_of_kernels();

}  // namespace lockstep::cli
