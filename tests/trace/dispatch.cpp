#include <lockstep/trace/dispatch.hpp>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>
#include <lockstep/trace/expect.hpp>

#include "allocate_broken/allocate_broken.hpp"

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using trace::Trace;

template <class S>
struct DoublesOdd : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  static constexpr int first_line = __LINE__ + 3;
  Buffer<uint> data;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i % 2u == 1u) {
      data[i] += i;
    }
    const uint sum = subgroupAdd(i);
    static_cast<void>(sum);
  }
};

std::vector<std::uint32_t> iota(std::size_t count) {
  std::vector<std::uint32_t> data(count);
  std::iota(data.begin(), data.end(), 0u);
  return data;
}

TEST_CASE("one line traces a kernel, which runs as in any dispatch") {
  std::vector<std::uint32_t> data = iota(32);
  const Trace traced = trace::dispatch<DoublesOdd>({2}, data);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(data[i] == (i % 2 == 1 ? 2 * i : i));

  CHECK(traced.subgroup_size() == 8);
  const int line = DoublesOdd<FastMachine<8>>::first_line;
  const auto expected = trace::expect()
                            .start(0xff)
                            .enter(0xaa)
                            .at(line + 1)
                            .others(0x55)
                            .read(0xaa)
                            .at(line + 2)
                            .write(0xaa)
                            .at(line + 2)
                            .leave(0xff)
                            .at(line + 1)
                            .built_in("subgroupAdd", 0xff)
                            .at(line + 4)
                            .end(0xff);
  CHECK(trace::difference(expected, traced.events()) == "");
  const std::string text = traced.text();
  CHECK_THAT(text, Catch::StartsWith("DoublesOdd, subgroup 0 of workgroup 0: 8 lanes, maximal\n"));
  CHECK_THAT(text, Catch::Contains("  .  A  .  A  .  A  .  A"));
  CHECK_THAT(text, Catch::Contains(" = 28\n"));
  // Where compilers were given relative names, sources are found only from there.
  if (std::filesystem::exists(__FILE__)) {
    CHECK_THAT(text, Catch::Contains("  .  A  .  A  .  A  .  A     data[i] += i;"));
    CHECK_THAT(text, Catch::Contains("const uint sum = subgroupAdd(i);   = 28"));
  }
}

TEST_CASE("a device and a subgroup can be asked for") {
  std::vector<std::uint32_t> data = iota(32);
  const Trace traced =
      trace::dispatch<DoublesOdd>(Device{.subgroup_size = 12}, {.subgroup = 1}, {2}, data);
  CHECK_THAT(traced.text(), Catch::StartsWith("DoublesOdd, subgroup 1 of workgroup 0: 4 of 12 "
                                              "lanes, maximal\n"));
  CHECK(trace::dispatch<DoublesOdd>(Device{.subgroup_size = 1}, {2}, data).subgroup_size() == 1);
  CHECK_THROWS_AS(trace::dispatch<DoublesOdd>(Device{.subgroup_size = 129}, {2}, data), Error);
  CHECK_THROWS_AS(
      trace::dispatch<DoublesOdd>(Device{.subgroup_size = 8}, {.subgroup = 2}, {1}, data),
      trace::AbsentSubgroup);
}

TEST_CASE("accesses outside arrays are part of the trace") {
  std::vector<std::uint32_t> data = iota(7);
  const Trace traced = trace::dispatch<DoublesOdd>({1}, data);
  CHECK(traced.faults().count() > 0);
  CHECK_THAT(traced.text(), Catch::Contains("[out-of-bounds]"));
}

TEST_CASE("a trace under the rule core is saved to a file") {
  std::vector<std::uint32_t> in(64), free_slot{0}, data(64);
  std::iota(in.begin(), in.end(), 1u);
  const std::uint32_t groups = 1;
  const auto path = std::filesystem::temp_directory_path() / "lockstep-trace-dispatch.txt";
  trace::dispatch<kernels::AllocateBroken>(
      Device{.subgroup_size = 16}, {.subgroup = 1, .rule = Rule::core, .choose = "rejoin-none"},
      {groups}, in, free_slot, data)
      .save(path.string());
  std::ostringstream saved;
  saved << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  CHECK_THAT(saved.str(), Catch::StartsWith("AllocateBroken, subgroup 1 of workgroup 0: 16 lanes, "
                                            "core, rejoin-none\n"));
  CHECK_THAT(saved.str(), Catch::Contains("1 merge did not rejoin:"));
}

template <class S>
struct LeavesBarrier : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Barriers main() {
    If (gl_LocalInvocationIndex == 5u) Return;
    co_await barrier();
  }
};

TEST_CASE("an error that ends the run is the end of the trace") {
  const Trace traced = trace::dispatch<LeavesBarrier>({1});
  REQUIRE(traced.error());
  CHECK_THROWS_AS(std::rethrow_exception(traced.error()), Error);
  CHECK_THAT(traced.text(), Catch::Contains("\nerror: "));
  CHECK(traced.events().back().kind == Event::Kind::barrier);
}

}  // namespace
