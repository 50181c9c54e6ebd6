#include <lockstep/exec/memory_order.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

namespace {

/// The order of each access and barrier.
struct Orders : Observer {
  void on(const Event& event) override {
    const std::string kind(to_string(event.kind));
    if (is_access(event.kind))
      log.push_back(
          kind + " " + to_string(event.access.object) + ": " + to_string(event.access.order) +
          (event.access.unequal == 0
               ? ""
               : ", unequal " +
                     to_string(MemoryOrder{event.access.order.scope, event.access.unequal})));
    if (event.kind == Event::Kind::barrier || event.kind == Event::Kind::sync)
      log.push_back(kind + ": " + to_string(event.sync));
  }
  std::vector<std::string> log;
};

std::vector<std::string> orders_of(const std::string& glsl) {
  auto shader = Shader::from_glsl(glsl, {}, "orders.comp");
  std::vector<std::uint32_t> a(8), b(8), c(8), d(8);
  Orders orders;
  const Convergence convergence{.observer = &orders};
  shader.bind(0, a).bind(1, b).bind(2, c).bind(3, d);
  shader.dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  return orders.log;
}

}  // namespace

TEST_CASE("memory qualifiers determine the memory order of accesses") {
  const auto orders = orders_of(R"(#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) coherent buffer B { uint b[]; };
layout(binding = 2) volatile buffer C { uint c[]; };
layout(binding = 3) buffer D { coherent uint d[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  a[i] = b[i];
  c[i] = a[i];
  d[i] = c[i];
})");
  CHECK(orders == std::vector<std::string>{
                      "read B: queue family, relaxed, make visible",
                      "write A: invocation, relaxed",
                      "read A: invocation, relaxed",
                      "write C: queue family, relaxed, make available, volatile",
                      "read C: queue family, relaxed, make visible, volatile",
                      "write D: queue family, relaxed, make available",
                  });
}

TEST_CASE("scopes and semantics of the Vulkan memory model reach observers") {
  const auto orders = orders_of(R"(#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 8) in;
layout(binding = 0) workgroupcoherent buffer A { uint a[]; };
layout(binding = 1) coherent buffer B { uint b[]; };
layout(binding = 2) volatile buffer C { uint c[]; };
layout(binding = 3) nonprivate buffer D { uint d[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  a[i] = b[i];
  c[i] = d[i];
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsImage, gl_SemanticsRelease);
  atomicAdd(d[0], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  atomicCompSwap(d[1], 1u, 2u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease,
                 gl_StorageSemanticsShared, gl_SemanticsAcquire);
  atomicStore(d[2], 1u, gl_ScopeSubgroup, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
})");
  CHECK(orders ==
        std::vector<std::string>{
            "read B: queue family, relaxed, make visible",
            "write A: workgroup, relaxed, make available",
            "read D: invocation, relaxed",
            "write C: queue family, relaxed, make available, volatile",
            "barrier: execution workgroup, memory device, acquire-release, buffers, shared memory, "
            "make available, make visible",
            "sync: memory queue family, release, images",
            "atomic D: workgroup, acquire, buffers",
            "atomic D: device, acquire-release, buffers, unequal device, acquire, shared memory",
            "atomic D: subgroup, release, buffers",
        });
}
