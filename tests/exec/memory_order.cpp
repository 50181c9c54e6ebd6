#include <lockstep/exec/memory_order.hpp>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
namespace bits = memory_semantics;

TEST_CASE("a memory order says its scope, its order and what it orders") {
  CHECK(to_string(MemoryOrder{}) == "invocation, relaxed");
  CHECK(to_string(MemoryOrder{Scope::device, bits::acquire | bits::buffers}) ==
        "device, acquire, buffers");
  CHECK(to_string(MemoryOrder{Scope::queue_family, bits::acquire_release | bits::shared |
                                                       bits::images | bits::make_available |
                                                       bits::make_visible}) ==
        "queue family, acquire-release, shared memory, images, make available, make visible");
}

TEST_CASE("a barrier says who waits, if anybody does") {
  const MemoryOrder memory{Scope::workgroup, bits::acquire_release | bits::shared};
  CHECK(to_string(Sync{Scope::workgroup, memory}) ==
        "execution workgroup, memory workgroup, acquire-release, shared memory");
  CHECK(to_string(Sync{std::nullopt, memory}) ==
        "memory workgroup, acquire-release, shared memory");
}

TEST_CASE("scopes and semantics have SPIR-V's numbers") {
  CHECK(static_cast<int>(Scope::cross_device) == 0);
  CHECK(static_cast<int>(Scope::device) == 1);
  CHECK(static_cast<int>(Scope::workgroup) == 2);
  CHECK(static_cast<int>(Scope::subgroup) == 3);
  CHECK(static_cast<int>(Scope::invocation) == 4);
  CHECK(static_cast<int>(Scope::queue_family) == 5);
  CHECK(static_cast<int>(Scope::shader_call) == 6);
  CHECK(bits::atomic_counters == 0x400);
  CHECK(to_string(MemoryOrder{Scope::shader_call, 0xffff}) ==
        "shader call, acquire, release, acquire-release, sequentially consistent, buffers, shared "
        "memory, atomic counters, images, outputs, make available, make visible, volatile");
}

}  // namespace
