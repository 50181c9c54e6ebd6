// Before anything of Lockstep, in spite of what the tests are compiled with.
#undef LOCKSTEP_POISON
#define LOCKSTEP_POISON 1

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// Device::undefined: the results of built-ins and the elements of shared arrays that are poison, by a model of each
/// lane.

namespace {

using namespace lockstep;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t local = 24, groups = 3, results = 16, poison = 0xdeadbeef;

bool is_active(std::uint32_t lane) { return lane % 5 != 2; }

/// Writes each invocation's results one after another, and after all of these what shared memory contains.
template <class S>
struct Results : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{local};
  Buffer<uint> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, at = i * results;
    const Uint value = i * 10u;
    const Float nan(std::numeric_limits<float>::quiet_NaN());
    If (lane % 5u != 2u) {
      out[at] = subgroupShuffle(value, (lane + 3u) % gl_SubgroupSize);
      out[at + 1u] = subgroupShuffleXor(value, 1u);
      out[at + 2u] = subgroupShuffleUp(value, 2u);
      out[at + 3u] = subgroupShuffleDown(uvec2(value, lane), 1u).y;
      out[at + 4u] = subgroupBroadcast(value, 2u);
      out[at + 5u] = subgroupBroadcast(value, 1u);
      out[at + 6u] = subgroupBallotFindLSB(subgroupBallot(i > 1000u));
      out[at + 7u] = subgroupBallotFindMSB(subgroupBallot(true));
      const vec2 least = subgroupMin(vec2(nan, Float(lane)));
      out[at + 8u] = floatBitsToUint(least.x);
      out[at + 9u] = Uint(least.y);
      out[at + 10u] = subgroupMin(value);
      out[at + 11u] = subgroupRotate(value, 1u);
      out[at + 12u] = select(subgroupShuffleXor(lane > 100u, 2u), Uint(1u), Uint(0u));
      out[at + 13u] = subgroupInclusiveAdd(Uint(1u));
      auto variable = var(value);
      out[at + 14u] = subgroupShuffle(variable, lane ^ 1u);
      out[at + 15u] = floatBitsToUint(subgroupShuffleUp(Float(lane), 1u));
    }
  }
};

/// A result of an invocation: nothing where it is undefined.
using Result = std::optional<std::uint32_t>;

/// All of them for one lane, of subgroups of this size, and how many lanes this one has.
std::array<Result, results> expected(std::uint32_t invocation, std::uint32_t size) {
  const std::uint32_t in_group = invocation % local, lane = in_group % size;
  const std::uint32_t first = invocation - lane;
  const std::uint32_t lanes = std::min(size, local - in_group / size * size);
  // What this lane gets from another.
  const auto from = [&](std::uint32_t other, auto value) -> Result {
    if (other >= lanes || !is_active(other)) return {};
    return value(other);
  };
  const auto values = [&](std::uint32_t other) { return (first + other) * 10; };
  const auto number = [](std::uint32_t other) { return other; };
  std::uint32_t lowest = lanes, highest = 0, below = 0;
  for (std::uint32_t k = 0; k < lanes; ++k) {
    if (!is_active(k)) continue;
    lowest = std::min(lowest, k);
    highest = k;
    below += k <= lane;
  }
  return {from((lane + 3) % size, values),
          from(lane ^ 1, values),
          lane < 2 ? Result() : from(lane - 2, values),
          from(lane + 1, number),
          from(2, values),
          from(1, values),
          {},
          highest,
          {},
          lowest,
          (first + lowest) * 10,
          from((lane + 1) % size, values),
          from(lane ^ 2, [](std::uint32_t) { return 0u; }),
          below,
          from(lane ^ 1, values),
          lane < 1 ? Result() : from(lane - 1, [](std::uint32_t other) {
            return std::bit_cast<std::uint32_t>(static_cast<float>(other));
          })};
}

/// Whether a word is what Undefined::poison makes of an undefined result with this number.
bool is_poison(std::uint32_t word, std::uint32_t result) {
  if (result == 8 || result == 15) return std::isnan(std::bit_cast<float>(word));
  return word == (result == 12 ? 1 : poison);
}

template <class Dispatch>
void check_results(std::uint32_t size, const Dispatch& dispatch) {
  Words out(local * groups * results, 7);
  dispatch(Device{.subgroup_size = static_cast<int>(size), .undefined = Undefined::poison}, out);
  std::uint32_t undefined = 0;
  for (std::uint32_t i = 0; i < local * groups; ++i) {
    const auto wanted = expected(i, size);
    for (std::uint32_t k = 0; k < results; ++k) {
      const std::uint32_t word = out[i * results + k];
      CAPTURE(size, i, k, word);
      if (!is_active(i % local % size)) {
        REQUIRE(word == 7);
      } else if (wanted[k]) {
        REQUIRE(word == *wanted[k]);
      } else {
        REQUIRE(is_poison(word, k));
        ++undefined;
      }
    }
  }
  CHECK(undefined > 2 * local);
}

TEST_CASE("undefined results of built-ins are poison if the device says so") {
  const std::uint32_t size = GENERATE(4u, 5u, 8u, 16u, 32u);
  check_results(
      size, [](const Device& device, Words& out) { device.dispatch<Results, 8, 32>(groups, out); });
  check_results(size, [](const Device& device, Words& out) {
    device.dispatch<Results, 32>(Convergence(), groups, out);
  });
}

TEST_CASE("undefined results are what was computed if the device says so") {
  CHECK(Device().undefined == Undefined::poison);
  Words out(local * groups * results);
  Device{.subgroup_size = 8, .undefined = Undefined::computed}.dispatch<Results, 8>(groups, out);
  CHECK(out[2] == 60);  // lane 0 from two below, modulo 8
  CHECK(out[4] == 20);  // from lane 2, which is not active
}

// ---- Shared memory ----

LOCKSTEP_STRUCT(Pair, (uint, first), (vec2, second));

/// Writes some elements of shared arrays, which the next workgroup does not see.
template <class S>
struct Reading : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{local};
  Buffer<uint> out;
  Shared<uint, local> words{this};
  Shared<float, local> floats{this};
  Shared<bool, local> bools{this};
  Shared<Pair, local> pairs{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x * 4u;
    If (i % 2u == gl_WorkGroupID.x % 2u) {
      words[i] = i;
      floats[i] = 1.0f;
      bools[i] = false;
      pairs[i].second = vec2(1.0f);
    }
    co_await barrier();
    out[at] = words[i];
    out[at + 1u] = floatBitsToUint(floats[i]);
    out[at + 2u] = select(bools[i], Uint(1u), Uint(0u));
    out[at + 3u] = floatBitsToUint(vec2(pairs[i].second).y);
  }
};

TEST_CASE("shared memory is poison at the start of each workgroup if the device says so") {
  const auto check = [](const Words& out) {
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::uint32_t i = 0; i < local; ++i) {
        CAPTURE(g, i);
        const std::uint32_t* const word = &out[(g * local + i) * 4];
        if (i % 2 == g % 2) {
          REQUIRE(word[0] == i);
          REQUIRE(std::bit_cast<float>(word[1]) == 1.0f);
          REQUIRE(word[2] == 0);
          REQUIRE(std::bit_cast<float>(word[3]) == 1.0f);
        } else {
          REQUIRE(word[0] == poison);
          REQUIRE(std::isnan(std::bit_cast<float>(word[1])));
          REQUIRE(word[2] == 1);
          REQUIRE(word[3] == poison);
        }
      }
    }
  };
  const Device device{.subgroup_size = 8, .threads = 1, .undefined = Undefined::poison};
  Words out(local * groups * 4);
  device.dispatch<Reading, 8>(groups, out);
  check(out);
  out.assign(out.size(), 0);
  device.dispatch<Reading, 8>(Convergence(), groups, out);
  check(out);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
