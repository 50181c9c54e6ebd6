#include <lockstep/workgroup/summed.hpp>

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/glsl/pixels.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t groups = 200, invocations = groups * 20;

/// Adds with every kind of index and value.
template <class S, class T>
struct Adds : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{20};
  Buffer<const T> in;
  Summed<T> sums;
  uint bins;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    atomicAdd(sums[i % bins], in[i]);
    If (i % 3u == 0u) {
      atomicAdd(sums[0], T(7));
      atomicAdd(sums[Int(i % 2u)], ValueOn<S, T>(i));
    }
    If (subgroupElect()) atomicAdd(sums[sums.length() - 1], T(1));
  }
};

template <class S>
using AddsUint = Adds<S, std::uint32_t>;
template <class S>
using AddsInt = Adds<S, std::int32_t>;
template <class S>
using AddsUint64 = Adds<S, std::uint64_t>;
template <class S>
using AddsInt64 = Adds<S, std::int64_t>;

/// What it leaves in an array that began with `sums`.
template <class T>
std::vector<T> expected(const std::vector<T>& in, std::vector<T> sums, std::uint32_t bins,
                        std::uint32_t subgroup_size) {
  using U = std::make_unsigned_t<T>;  // where sums are modulo 2^n
  const auto add = [&](std::size_t k, T value) {
    sums[k] = static_cast<T>(static_cast<U>(static_cast<U>(sums[k]) + static_cast<U>(value)));
  };
  for (std::uint32_t i = 0; i < invocations; ++i) {
    add(i % bins, in[i]);
    if (i % 3 == 0) {
      add(0, 7);
      add(i % 2, static_cast<T>(i));
    }
    if (i % 20 % subgroup_size == 0) add(sums.size() - 1, 1);
  }
  return sums;
}

template <template <class> class K, class T>
void check_sums(std::size_t size) {
  std::vector<T> in(invocations), before(size);
  for (std::uint32_t i = 0; i < invocations; ++i)
    in[i] = static_cast<T>(static_cast<T>(i * 2654435761u) * T(0x01234567));
  for (std::size_t k = 0; k < size; ++k) before[k] = static_cast<T>(~k);
  const auto bins = static_cast<std::uint32_t>(size);
  for (const int subgroup_size : {8, 5}) {
    const auto want = expected(in, before, bins, static_cast<std::uint32_t>(subgroup_size));
    const Device device{.subgroup_size = subgroup_size};
    for (const int threads : {1, 2, 4, 0}) {
      INFO("subgroup size " << subgroup_size << ", threads " << threads);
      Device on = device;
      on.threads = threads;
      std::vector<T> sums = before;
      on.dispatch<K, 8>({groups}, in, sums, bins);
      CHECK(sums == want);
    }
    std::vector<T> sums = before, checked = before;
    device.dispatch<K, 8>(Convergence{}, {groups}, in, sums, bins);
    CHECK(sums == want);
    device.dispatch_checked<K, 8>({groups}, in, checked, bins);
    CHECK(checked == want);
  }
}

TEST_CASE("sums do not depend on the threads and on what the array held before") {
  for (const std::size_t size : {2u, 256u}) {
    INFO("size " << size);
    check_sums<AddsUint, std::uint32_t>(size);
    check_sums<AddsInt, std::int32_t>(size);
    check_sums<AddsUint64, std::uint64_t>(size);
    check_sums<AddsInt64, std::int64_t>(size);
  }
}
TEST_CASE("an array of more than 16 KiB is added to by each thread directly") {
  check_sums<AddsUint, std::uint32_t>(4096);
  check_sums<AddsUint, std::uint32_t>(4097);
  check_sums<AddsInt64, std::int64_t>(2049);
}

/// Each subgroup adds 1, and looks at what is in memory.
template <class S>
struct Peek : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{80};
  Summed<uint> sums;
  const std::uint32_t* memory;
  Buffer<uint> seen;

  void main() {
    If (subgroupElect()) {
      atomicAdd(sums[0], 1u);
      seen[gl_SubgroupID] = *static_cast<const volatile std::uint32_t*>(memory);
    }
  }
};

TEST_CASE("a thread among others adds to the array at the end, and one alone at once") {
  for (const int threads : {1, 2}) {
    Numbers seen(10), small(4096, 5), large(4097, 5);
    const Device device{.subgroup_size = 8, .threads = threads};
    const auto directly = [](std::uint32_t s) { return 5 + s + 1; };
    device.dispatch<Peek, 8>({1}, small, static_cast<const std::uint32_t*>(small.data()), seen);
    CHECK(small[0] == 15);
    for (std::uint32_t s = 0; s < 10; ++s) CHECK(seen[s] == (threads == 1 ? directly(s) : 5));
    device.dispatch<Peek, 8>({1}, large, static_cast<const std::uint32_t*>(large.data()), seen);
    CHECK(large[0] == 15);
    for (std::uint32_t s = 0; s < 10; ++s) CHECK(seen[s] == directly(s));
  }
}

/// The same loop on a Buffer and on a Summed.
template <class S, template <class> class Sums>
struct Outside : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<const uint> in;
  Sums<S> sums;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    auto x = var(in[0]);
    If (i < 4u) x = i;
    const uint size = sums.length();
    atomicAdd(sums[i + size - 4u], x);
    atomicAdd(sums[size], 1u);
    atomicAdd(sums[-Int(i)], 1u);
  }
};
template <class S>
using UintBuffer = ArrayOn<S, std::uint32_t>;
template <class S>
using UintSummed = Summed<std::uint32_t, S>;
template <class S>
using OutsideBuffer = Outside<S, UintBuffer>;
template <class S>
using OutsideSummed = Outside<S, UintSummed>;

std::string texts(const FaultLog& found) {
  std::string text;
  for (const Finding& finding : found.findings()) text += to_string(finding) + "\n";
  return text;
}

TEST_CASE("additions outside of the array are the same faults as to a Buffer") {
  const Numbers in = {3};
  for (const int threads : {1, 2}) {
    const Device device{.subgroup_size = 8, .threads = threads, .faults = Faults::counted};
    const auto check = [](const FaultLog& want, const FaultLog& got, const Numbers& buffer,
                          const Numbers& summed) {
      CHECK(want.count() > 0);
      CHECK(got.count() == want.count());
      CHECK(texts(got) == texts(want));
      CHECK(summed == buffer);
    };
    Numbers buffer(6), summed(6);
    const FaultLog want = device.dispatch<OutsideBuffer, 8>({3}, in, buffer);
    check(want, device.dispatch<OutsideSummed, 8>({3}, in, summed), buffer, summed);
    CHECK(buffer == Numbers{3, 0, 0, 3, 6, 9});
    check(device.dispatch_checked<OutsideBuffer, 8>({3}, in, buffer),
          device.dispatch_checked<OutsideSummed, 8>({3}, in, summed), buffer, summed);
    check(device.dispatch<OutsideBuffer, 8>(Convergence{}, {3}, in, buffer),
          device.dispatch<OutsideSummed, 8>(Convergence{}, {3}, in, summed), buffer, summed);
    Numbers empty, also_empty;
    check(device.dispatch<OutsideBuffer, 8>({3}, in, empty),
          device.dispatch<OutsideSummed, 8>({3}, in, also_empty), empty, also_empty);
  }
}

struct Log : Observer {
  std::vector<std::string> events;
  void on(const Event& event) override {
    if (event.kind == Event::Kind::atomic)
      events.push_back(to_string(event) + " " + to_string(event.result, 7));
  }
};

TEST_CASE("observers see additions as those to a Buffer") {
  const Device device{.subgroup_size = 8, .faults = Faults::counted};
  const Numbers in = {3};
  Numbers buffer(9), summed(9);
  Log want, got;
  device.dispatch<OutsideBuffer, 8>(Convergence{.observer = &want}, {2}, in, buffer);
  device.dispatch<OutsideSummed, 8>(Convergence{.observer = &got}, {2}, in, summed);
  CHECK(want.events.size() == 6);
  CHECK(got.events == want.events);
}

/// Adds what was never written.
template <class S>
struct Undefined : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Summed<uint> sums;
  Shared<uint, 8> shared{this};
  static constexpr int line = __LINE__ + 2;
  Barriers main() {
    atomicAdd(sums[0], shared[gl_LocalInvocationIndex]);
    co_return;
  }
};

TEST_CASE("a checked dispatch finds that an addend is undefined") {
  Numbers sums(1);
  const Device device{.subgroup_size = 8, .threads = 2, .faults = Faults::counted};
  for (const Checks& checks : {kernel_checks(), undefined_checks()}) {
    Device with = device;
    with.checks = checks;
    const auto found = with.dispatch_checked<Undefined, 8>({1}, sums).findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "uninitialised-shared");
    CHECK(found[0].where.line == Undefined<FastMachine<8>>::line);
  }
}

/// Adds before and after a barrier, from a kernel that is one object for all subgroups.
template <class S>
struct AroundBarrier : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{40};
  Summed<uint> before;
  Summed<uint> after;
  Shared<uint, 40> shared{this};
  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    shared[i] = i;
    atomicAdd(before[i % 4u], 1u);
    co_await barrier();
    add(after, shared[39u - i]);
  }
  static void add(Summed<uint> to, const Uint& value) { atomicAdd(to[0], value); }
};

TEST_CASE("a kernel with barriers has several, and passes them to functions") {
  for (const int threads : {1, 3}) {
    Numbers before(4), after(1);
    Device{.subgroup_size = 8, .threads = threads}.dispatch<AroundBarrier, 8>({100}, before, after);
    CHECK(before == Numbers(4, 1000));
    CHECK(after[0] == 100 * 39 * 40 / 2);
  }
}

/// Workgroup 50 never ends.
template <class S>
struct Fails : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Summed<uint> sums;
  void main() {
    atomicAdd(sums[gl_WorkGroupID.x], 1u);
    auto x = var(0u);
    If (gl_WorkGroupID.x == 50u) {
      While (x == 0u) x = 0u;
    }
  }
};

TEST_CASE("what was added before an error is in the array") {
  for (const int threads : {1, 2}) {
    Numbers sums(100);
    const Device device{.subgroup_size = 8, .threads = threads, .max_trips = 100};
    CHECK_THROWS_AS((device.dispatch<Fails, 8>({100}, sums)), Error);
    for (std::size_t g = 0; g <= 50; ++g) CHECK(sums[g] == 8);
  }
}

TEST_CASE("dispatches at once add to the same array, as does a dispatch that reports progress") {
  struct Told : Progress {
    std::size_t done = 0;
    void on(std::size_t now, std::size_t) override { done = now; }
  } told;
  Numbers in(invocations, 1), sums(16), once(16);
  const Device device{.subgroup_size = 8, .threads = 2};
  const auto run = [&] {
    for (int n = 0; n < 10; ++n) device.dispatch<AddsUint, 8>({groups}, in, sums, 16);
  };
  std::thread other(run);
  run();
  other.join();
  Device telling = device;
  telling.progress = &told;
  telling.dispatch<AddsUint, 8>({groups}, in, sums, 16);
  CHECK(told.done == groups);
  const Numbers want = expected(in, Numbers(16), 16, 8);
  for (std::size_t k = 0; k < 16; ++k) CHECK(sums[k] == 21 * want[k]);
}

template <class S>
struct Count : Pixels<S> {
  LOCKSTEP_PIXELS(S);
  Summed<uint> pixels;
  void main() { atomicAdd(pixels[0], 1u); }
};

TEST_CASE("helpers of pixels add nothing") {
  for (const int threads : {1, 2}) {
    Numbers pixels(1);
    Device{.subgroup_size = 8, .threads = threads}.dispatch_pixels<Count, 8>(33, 21, pixels);
    CHECK(pixels[0] == 33 * 21);
  }
}

template <class S>
struct Two : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<const uint> in;
  Summed<uint> sums;
  void main() { atomicAdd(sums[0], in[0]); }
};

TEST_CASE("the array of a Summed is that of no other argument") {
  Numbers same(1);
  CHECK_THROWS_WITH((Device{}.dispatch<Two, 128>({1}, same, same)),
                    "arguments 1 and 2 of kernel Two are the same array, but the kernel's member "
                    "for argument 2 is a Summed, to which nothing else may refer: make it a "
                    "Buffer, or pass separate arrays");
  CHECK(same[0] == 0);
  const Numbers in = {2};
  Device{}.dispatch<Two, 128>({1}, in, same);
  CHECK(same[0] == 16);
}

}  // namespace
