#include <lockstep/workgroup/shared.hpp>

#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using std::uint32_t;

/// As much of a kernel as shared memory wants.
struct Owner {
  exec::State<4>& lockstep_state() { return state; }
  Location& lockstep_location() { return location; }
  Undefined lockstep_undefined() const { return Undefined::computed; }
  uint32_t lockstep_take_shared(std::uint64_t bytes) {
    taken += bytes;
    return arrays++;
  }

  exec::State<4> state{.active = Mask<4>::all()};
  Location location{.workgroup = {1, 2, 3}, .subgroup = 7, .faults = {}};
  std::uint64_t taken = 0;
  uint32_t arrays = 0;
};

TEST_CASE("shared memory starts with zeros and is read and written under the mask") {
  using Uint = Lanes<uint32_t, 4>;
  Owner owner;
  Shared<uint32_t, 6, FastMachine<4>> shared(&owner);
  CHECK(shared.length() == 6);
  for (int i = 0; i < 6; ++i) {
    const Uint all = shared[static_cast<uint32_t>(i)];
    CHECK(all[0] == 0);
  }
  owner.state.active = Mask<4>::from_bits(0b1011);
  shared[Uint::iota() + 1u] = Uint::iota() + 10u;
  shared[Uint::iota()] += 100u;
  owner.state.active = Mask<4>::all();
  const uint32_t want[6] = {100, 110, 11, 100, 13, 0};
  for (uint32_t i = 0; i < 6; ++i) {
    const Uint got = shared[i];
    CHECK(got[0] == want[i]);
  }
  const Uint old = atomicAdd(shared[2u], 1u);
  for (int i = 0; i < 4; ++i) CHECK(old[i] == 11 + static_cast<uint32_t>(i));
}

TEST_CASE("accesses outside of shared memory are faults") {
  using Uint = Lanes<uint32_t, 4>;
  Owner owner;
  Shared<uint32_t, 6, FastMachine<4>> shared(&owner);
  shared[Uint::iota() + 4u] = 1u;
  const Uint got = shared[Uint::iota() + 4u];
  CHECK(got[1] == 1);
  CHECK(got[2] == 0);
  CHECK(owner.location.faults.count() == 4);
  const Finding& first = owner.location.faults.first();
  CHECK(first.access.kind == AccessKind::write);
  CHECK(first.access.object.kind == MemoryObject::Kind::shared);
  CHECK(first.access.object.binding == 0);
  CHECK(first.access.index == 6);
  CHECK(first.access.size == 6);
  CHECK(first.lanes.first() == 2);
  CHECK(first.subgroup == 7);
  CHECK(first.workgroup == Size3{1, 2, 3});
}

/// All subgroups write, then all read what others wrote.
template <class S>
struct Reverse : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{70};
  Buffer<const uint> in;
  Buffer<uint> out;
  Shared<uint, 70> values{this};
  Shared<float, 2> other{this};

  Barriers main() {
    values[gl_LocalInvocationIndex] = in[gl_GlobalInvocationID.x];
    if (auto one = when(gl_LocalInvocationIndex == 69u)) other[1u] = Float(Uint(gl_WorkGroupID.x));
    co_await barrier();
    const Uint from = 69u - gl_LocalInvocationIndex;
    out[gl_GlobalInvocationID.x] = values[from] + Uint(Float(other[1u]));
  }
};

TEST_CASE("all subgroups of a workgroup, and no others, share an array") {
  for (const int size : {1, 3, 24, 33, 70, 128}) {
    for (const int threads : {1, 0}) {
      std::vector<uint32_t> in(70 * 9), out(in.size());
      for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * i + 5;
      const FaultLog faults =
          Device{.subgroup_size = size, .threads = threads}.dispatch<Reverse, LOCKSTEP_TEST_WIDTHS>(
              {9}, in, out);
      CHECK(faults.count() == 0);
      std::vector<uint32_t> want(in.size());
      for (uint32_t i = 0; i < in.size(); ++i) {
        want[i] = in[i / 70 * 70 + 69 - i % 70] + i / 70;
      }
      INFO("subgroup size " << size);
      CHECK(out == want);
    }
  }
}

}  // namespace
