#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;

/// Rotates a workgroup's values, with every kind of barrier on the way.
template <class S>
struct TurnRound : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{50};
  Buffer<uint> data;
  Shared<uint, 50> values{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    values[i] = data[gl_GlobalInvocationID.x];
    fences();
    co_await controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                            gl_SemanticsAcquireRelease);
    data[gl_GlobalInvocationID.x] = values[49u - i];
    co_await controlBarrier(
        gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsImage,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
    co_await controlBarrier(gl_ScopeWorkgroup, gl_ScopeInvocation, gl_StorageSemanticsNone,
                            gl_SemanticsRelaxed);
  }
  void fences() {
    memoryBarrier();
    memoryBarrierBuffer();
    memoryBarrierShared();
    memoryBarrierImage();
    groupMemoryBarrier();
    subgroupBarrier();
    subgroupMemoryBarrier();
    subgroupMemoryBarrierBuffer();
    subgroupMemoryBarrierShared();
    subgroupMemoryBarrierImage();
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease);
    memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire);
  }
};

TEST_CASE("barriers with scopes wait as barrier() does") {
  for (const int size : {1, 3, 8, 32, 50, 128}) {
    std::vector<std::uint32_t> data(100);
    for (std::uint32_t i = 0; i < 100; ++i) data[i] = i * 77;
    Device{.subgroup_size = size}.dispatch<TurnRound, LOCKSTEP_TEST_WIDTHS>({2}, data);
    for (std::uint32_t i = 0; i < 100; ++i) CHECK(data[i] == (i / 50 * 50 + 49 - i % 50) * 77);
  }
}

}  // namespace
