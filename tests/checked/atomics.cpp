#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace in_shared_atomics {

using namespace lockstep;

LOCKSTEP_STRUCT(Bin, (uint, hits), (uvec2, range), (uint, last, 3));

}  // namespace in_shared_atomics

namespace {

using namespace lockstep;
using in_shared_atomics::Bin;
using Words = std::vector<std::uint32_t>;

/// What an atomic does to shared structs that nothing has been written to.
enum class First { initialised, nothing, exchanged, compared };

template <class S>
struct Bins : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  uint first, reads_other;
  Buffer<uint> out;
  Shared<Bin, 4> bins{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    const Uint k = i % 4u;
    if (first == static_cast<uint>(First::initialised)) {
      If (i < 4u) {
        bins[k].hits = 0u;
        bins[k].range.y = 0u;
        bins[k].last[2u] = 0u;
      }
    }
    if (first == static_cast<uint>(First::exchanged)) {
      If (i < 4u) {
        atomicExchange(bins[k].hits, 0u);
        atomicExchange(bins[k].range.y, 0u);
        atomicExchange(bins[k].last[2u], 0u);
      }
    }
    co_await barrier();
    if (first == static_cast<uint>(First::compared)) {
      out[i] = atomicCompSwap(bins[k].hits, Uint(0u), i);
    } else {
      atomicAdd(bins[k].hits, 1u);
      atomicMax(bins[k].range.y, i);
      atomicOr(bins[k].last[2u], 1u);
    }
    co_await barrier();
    if (first != static_cast<uint>(First::compared))
      out[i] = bins[k].hits + bins[k].range.y + bins[k].last[2u];
    if (reads_other != 0) out[i] = bins[k].range.x;
  }
};

std::vector<Finding> findings(First first, bool reads_other, Words& out, bool races) {
  Checks checks = kernel_checks();
  if (!races) checks = checks & undefined_checks();
  const Device device{.subgroup_size = 8, .faults = Faults::counted, .checks = checks};
  return device
      .dispatch_checked<Bins, 8>(1, static_cast<std::uint32_t>(first), std::uint32_t{reads_other},
                                 out)
      .findings();
}

TEST_CASE("atomics on parts of shared structs find what was never written, and define it") {
  for (const bool races : {false, true}) {
    INFO(races);
    for (const First first : {First::initialised, First::exchanged}) {
      Words out(8);
      CHECK(findings(first, false, out, races).empty());
      for (std::uint32_t i = 0; i < 8; ++i) CHECK(out[i] == 2 + (i % 4 + 4) + 1);
      // Only what the atomics touched is defined.
      const auto found = findings(first, true, out, races);
      REQUIRE(found.size() == 1);
      CHECK(found[0].rule == "uninitialised-shared");
      CHECK(found[0].message.starts_with("an undefined value is stored to buffer 2"));
    }
    Words out(8);
    const auto found = findings(First::nothing, false, out, races);
    CHECK(found.size() == 3);
    for (const Finding& f : found) {
      CHECK(f.rule == "uninitialised-shared");
      CHECK(f.message.find("an atomic uses an undefined value in ") == 0);
      // The first lane of each bin finds it; after it the number counts as defined.
      CHECK(to_string(f.lanes) == "0-3");
    }
    const auto compared = findings(First::compared, false, out, races);
    REQUIRE(compared.size() == 1);
    CHECK(compared[0].rule == "uninitialised-shared");
  }
}

}  // namespace
