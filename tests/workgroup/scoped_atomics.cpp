#include <lockstep/workgroup/scoped_atomics.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

TEST_CASE("scope constants have GLSL's values, and semantics join") {
  CHECK(gl_ScopeDevice.value == 1);
  CHECK(gl_ScopeWorkgroup.value == 2);
  CHECK(gl_ScopeSubgroup.value == 3);
  CHECK(gl_ScopeInvocation.value == 4);
  CHECK(gl_ScopeQueueFamily.value == 5);
  CHECK(gl_StorageSemanticsNone.value == 0);
  CHECK((gl_StorageSemanticsBuffer | gl_StorageSemanticsShared).value == 0x140);
  CHECK(gl_StorageSemanticsImage.value == 0x800);
  CHECK(gl_StorageSemanticsOutput.value == 0x1000);
  CHECK(gl_SemanticsRelaxed.value == 0);
  CHECK((gl_SemanticsAcquire | gl_SemanticsMakeVisible).value == 0x4002);
  CHECK((gl_SemanticsRelease | gl_SemanticsMakeAvailable).value == 0x2004);
  CHECK((gl_SemanticsAcquireRelease | gl_SemanticsVolatile).value == 0x8008);
}

TEST_CASE("semantics become the order of the access") {
  CHECK(detail::memory_order_of<0>() == detail::HostOrder::relaxed);
  CHECK(detail::memory_order_of<0x8000>() == detail::HostOrder::relaxed);
  CHECK(detail::memory_order_of<0x4002>() == detail::HostOrder::acquire);
  CHECK(detail::memory_order_of<0x2004>() == detail::HostOrder::release);
  CHECK(detail::memory_order_of<0x6008>() == detail::HostOrder::acq_rel);
}

/// Each scoped form beside its plain one, on arrays of their own.
template <class S>
struct Scoped : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> plain;
  Buffer<uint> scoped;
  Buffer<uint> olds;
  Buffer<float> stored;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    if (auto some = when(i != 3u)) {
      const Uint at = i / 2u;
      const auto device = gl_ScopeDevice;
      const auto memory = gl_StorageSemanticsBuffer;
      const auto both = gl_SemanticsAcquireRelease;
      compare(0, atomicAdd(plain[at], i), atomicAdd(scoped[at], i, device, memory, both));
      compare(1, atomicMin(plain[at], i + 1u),
              atomicMin(scoped[at], i + 1u, gl_ScopeWorkgroup, memory, gl_SemanticsAcquire));
      compare(2, atomicMax(plain[at], i),
              atomicMax(scoped[at], i, device, memory, gl_SemanticsRelease));
      compare(3, atomicOr(plain[at], i << 4u),
              atomicOr(scoped[at], i << 4u, device, memory, gl_SemanticsRelaxed));
      compare(4, atomicXor(plain[at], i), atomicXor(scoped[at], i, device, memory, both));
      compare(5, atomicAnd(plain[at], 0x35u), atomicAnd(scoped[at], 0x35u, device, memory, both));
      compare(6, atomicExchange(plain[at], i),
              atomicExchange(scoped[at], i, device, memory,
                             gl_SemanticsRelease | gl_SemanticsMakeAvailable));
      compare(7, atomicCompSwap(plain[at], i, 9u),
              atomicCompSwap(scoped[at], i, 9u, device, memory, gl_SemanticsRelease, memory,
                             gl_SemanticsAcquire));
      compare(8, plain[at], atomicLoad(scoped[at], device, memory, gl_SemanticsAcquire));
      atomicStore(stored[i], Float(i) + 0.5f, device, memory, gl_SemanticsRelease);
      compare(9, Uint(atomicLoad(stored[i], device, memory, gl_SemanticsAcquire) - 0.5f), i);
      atomicLoad(stored[i + 5u], device, memory, gl_SemanticsRelaxed);
    }
  }
  void compare(uint step, const Uint& want, const Uint& got) {
    olds[step * 16u + gl_SubgroupInvocationID] = want;
    olds[step * 16u + 8u + gl_SubgroupInvocationID] = got;
  }
};

void check(const Numbers& plain, const Numbers& scoped, const Numbers& olds,
           const std::vector<float>& stored, const FaultLog& faults) {
  CHECK(plain == scoped);
  for (std::size_t step = 0; step < 10; ++step) {
    for (std::size_t i = 0; i < 8; ++i) {
      CAPTURE(step, i);
      CHECK(olds[step * 16 + i] == olds[step * 16 + 8 + i]);
    }
  }
  CHECK(olds[3 * 16] != 77);
  for (std::size_t i = 0; i < 8; ++i) CHECK(stored[i] == (i == 3 ? 0.0f : float(i) + 0.5f));
  CHECK(faults.count() == 4);  // lanes 4 to 7 load behind the end; lane 3 is not active
  CHECK(faults.first().access.kind == AccessKind::atomic);
  CHECK(faults.first().access.index == 9);
}

TEST_CASE("scoped atomics do what the plain ones do") {
  for (const int threads : {1, 2}) {
    Numbers plain = {5, 1000, 3, 0xffffffff}, scoped = plain, olds(200, 77);
    std::vector<float> stored(9);
    const Device device{.subgroup_size = 8, .threads = threads, .faults = Faults::counted};
    const FaultLog faults = device.dispatch<Scoped, 8>({1}, plain, scoped, olds, stored);
    check(plain, scoped, olds, stored, faults);
  }
}

/// The atomics on each of the kernel's arrays.
struct Atomics : Observer {
  std::vector<Event> plain, scoped, stored;
  void on(const Event& event) override {
    if (event.kind != Event::Kind::atomic) return;
    const std::uint32_t binding = event.access.object.binding;
    (binding == 0 ? plain : binding == 1 ? scoped : stored).push_back(event);
  }
};

TEST_CASE("scoped atomics are told to the observer") {
  Numbers plain = {5, 1000, 3, 0xffffffff}, scoped = plain, olds(200, 77);
  std::vector<float> stored(9);
  Atomics log;
  const FaultLog faults = Device{.subgroup_size = 8, .faults = Faults::counted}.dispatch<Scoped, 8>(
      Convergence{.observer = &log}, {1}, plain, scoped, olds, stored);
  check(plain, scoped, olds, stored, faults);
  using namespace memory_semantics;
  REQUIRE(log.plain.size() == 8);
  for (const Event& event : log.plain)
    CHECK((event.access.order == MemoryOrder{Scope::device, relaxed}));

  REQUIRE(log.scoped.size() == 9);
  const auto order = [&](std::size_t step) { return to_string(log.scoped[step].access.order); };
  CHECK(order(0) == "device, acquire-release, buffers");
  CHECK(order(1) == "workgroup, acquire, buffers");
  CHECK(order(2) == "device, release, buffers");
  CHECK(order(3) == "device, relaxed, buffers");
  CHECK(order(6) == "device, release, buffers, make available");
  CHECK(order(7) == "device, release, buffers");
  CHECK(log.scoped[7].name == "atomicCompSwap");
  CHECK(log.scoped[7].access.unequal == (acquire | buffers));
  CHECK(order(8) == "device, acquire, buffers");
  CHECK(log.scoped[8].name == "atomicLoad");
  CHECK(log.scoped[8].operands.empty());
  CHECK(log.scoped[8].result.type == LaneValues::Type::uint32);

  REQUIRE(log.stored.size() == 3);
  const Event& store = log.stored[0];
  CHECK(store.name == "atomicStore");
  CHECK(to_string(store.access.order) == "device, release, buffers");
  CHECK(store.operands.size() == 1);
  CHECK(store.result.type == LaneValues::Type::none);
  CHECK(log.stored[2].access.byte == std::vector<std::uint64_t>{20, 24, 28, 32, Access::outside,
                                                                Access::outside, Access::outside,
                                                                Access::outside});
}

}  // namespace
