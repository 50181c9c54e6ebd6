#include <lockstep/workgroup/traced_memory.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

/// Every way to touch an array.
template <class S>
struct Accesses : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<const uint> in;
  Buffer<uint> out;
  Shared<uint, 4> shared{this};

  Barriers main() {
    const Uint i = gl_SubgroupInvocationID;
    shared[i] = in[i];
    if (auto some = when(i < 3u)) {
      out[i] = shared[3u - i];
      out[i] += 10u;
      out[in[i]] = out[0];
    }
    const Int at(i);
    out[at] *= 2u;
    atomicAdd(out[1], 1u);
    atomicExchange(out[i], 5u);
    atomicCompSwap(out[i], 5u, i);
    atomicMin(out[i], 2u);
    atomicMax(out[i], 1u);
    atomicAnd(out[i], 3u);
    atomicOr(out[i], 4u);
    atomicXor(out[i], 1u);
    auto kept = var(out[i]);
    kept += in[9u];
    out[i] = kept + out.length() + in.length() + shared.length();
    co_return;
  }
};

struct Log : Observer {
  std::vector<Event> events;
  void on(const Event& event) override {
    using Kind = Event::Kind;
    if (event.kind == Kind::read || event.kind == Kind::write || event.kind == Kind::atomic)
      events.push_back(event);
  }
};

TEST_CASE("traced arrays hold what untraced ones do, and count the same faults") {
  const Numbers in = {2, 0, 3, 1};
  Numbers fast(5), traced(5);
  const Device device{.subgroup_size = 4, .threads = 1, .faults = Faults::counted};
  const FaultLog want = device.dispatch<Accesses, 4>({1}, in, fast);
  const FaultLog got = device.dispatch<Accesses, 4>(Convergence{}, {1}, in, traced);
  CHECK(traced == fast);
  CHECK(got.count() == want.count());
  CHECK(got.count() > 0);
  CHECK(got.first().access.index == want.first().access.index);
  CHECK(got.first().lanes == want.first().lanes);
  CHECK(got.first().access.kind == want.first().access.kind);
}

TEST_CASE("each access is told with its place, lanes, indices and values") {
  const Numbers in = {2, 0, 3, 1};
  Numbers out(5);
  Log log;
  Device{.subgroup_size = 4, .faults = Faults::counted}.dispatch<Accesses, 4>(
      Convergence{.observer = &log}, {1}, in, out);
  REQUIRE(log.events.size() == 2 + 2 + 2 + 3 + 2 + 8 + 3);

  const Event& read = log.events[0];
  CHECK(read.kind == Event::Kind::read);
  CHECK(read.access.object == MemoryObject{.kind = MemoryObject::Kind::buffer, .binding = 0});
  CHECK(read.access.data == reinterpret_cast<const std::byte*>(in.data()));
  CHECK(read.access.byte == std::vector<std::uint64_t>{0, 4, 8, 12});
  CHECK(read.access.bytes == 4);
  CHECK(read.access.count == 1);
  CHECK(read.others == LaneSet::first_n(4));
  CHECK(read.operands.empty());
  CHECK(to_string(read.result, 2) == "3");
  CHECK(read.where.line > 20);
  CHECK(std::string(read.where.file).find("traced_memory.cpp") != std::string::npos);

  const Event& write = log.events[1];
  CHECK(write.kind == Event::Kind::write);
  CHECK(write.access.object == MemoryObject{.kind = MemoryObject::Kind::shared, .binding = 0});
  CHECK(write.where.line == read.where.line);
  CHECK(to_string(write.operands.at(0), 0) == "2");

  const Event& in_selection = log.events[3];
  CHECK(in_selection.kind == Event::Kind::write);
  CHECK(in_selection.access.object.binding == 1);
  CHECK(in_selection.others == LaneSet::first_n(3));
  CHECK(in_selection.depth == 1);

  std::vector<std::string> atomics;
  for (const Event& event : log.events) {
    if (event.kind != Event::Kind::atomic) continue;
    atomics.emplace_back(event.name);
    CHECK(event.access.order == MemoryOrder{Scope::device, memory_semantics::relaxed});
    CHECK(event.operands.size() == (event.name == "atomicCompSwap" ? 2 : 1));
  }
  CHECK(atomics == std::vector<std::string>{"atomicAdd", "atomicExchange", "atomicCompSwap",
                                            "atomicMin", "atomicMax", "atomicAnd", "atomicOr",
                                            "atomicXor"});

  // The last read is behind the end.
  const Event& outside = log.events[log.events.size() - 2];
  CHECK(outside.kind == Event::Kind::read);
  CHECK(outside.access.byte == std::vector<std::uint64_t>(4, Access::outside));
}

}  // namespace
