#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the vote category.
//
// Before it branches, the subgroup votes whether all of its lanes choose the same side. If so it
// runs only that side, as a uniform branch; only a mixed subgroup runs both. `path` says which of
// the three paths each lane's subgroup took.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

/// The paths of a subgroup.
enum VotePath : std::uint32_t { vote_all, vote_none, vote_mixed };

template <class S>
struct Vote : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const std::int32_t> foo;
  Buffer<const std::int32_t> bar;
  Buffer<std::int32_t> out;
  Buffer<uint> path;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < foo.length()) {
      const Int a = foo[i];
      const Int b = bar[i];
      const Bool condition = a < b;
      if (subgroupAll(condition)) {
        out[i] = x(a, b);
        path[i] = vote_all;
      } else if (!subgroupAny(condition)) {
        out[i] = y(a, b);
        path[i] = vote_none;
      } else {
        If (condition) {
          out[i] = x(a, b);
        }
        Else { out[i] = y(a, b); }
        path[i] = vote_mixed;
      }
    }
  }

  Int x(const Int& a, const Int& b) { return b - a; }
  Int y(const Int& a, const Int& b) { return (a - b) * 3; }
};

/// out[i] becomes bar[i] - foo[i] where that is positive, otherwise 3 (foo[i] - bar[i]); path[i] the
/// VotePath of its subgroup. Requires all of one size.
template <int... Widths>
void vote(std::span<const std::int32_t> foo, std::span<const std::int32_t> bar,
          std::span<std::int32_t> out, std::span<std::uint32_t> path, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((foo.size() + 127) / 128);
  device.dispatch<Vote, Widths...>({workgroups}, foo, bar, out, path);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
