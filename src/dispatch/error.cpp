#include <lockstep/dispatch/error.hpp>

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::fail {

void partial_barrier(SourceLocation where, Size3 workgroup,
                     const std::vector<std::uint32_t>& waiting,
                     const std::vector<std::uint32_t>& ended) {
  throw Error(
      fmt::format("{}:{}: barrier() is not reached by all of workgroup ({}, {}, {}): subgroups {} "
                  "wait for {}, which have ended; "
                  "put the barrier where all invocations pass it",
                  where.file, where.line, workgroup.x, workgroup.y, workgroup.z,
                  fmt::join(waiting, ", "), fmt::join(ended, ", ")));
}

void subgroup_size(int size, int widest) {
  throw Error(
      fmt::format("subgroup size {} does not fit the widths this dispatch was compiled for: use 1 "
                  "to {}, or name a wider one",
                  size, widest));
}

void local_size() {
  throw Error("a kernel's local_size is zero in some dimension: give each at least 1");
}

void buffer_size() { throw Error("a buffer has more than 2^32 - 1 elements: split it"); }

}  // namespace lockstep::fail
