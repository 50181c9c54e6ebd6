#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// Elements of local arrays are undefined until they are written, unless the array starts with values.

namespace {

using namespace lockstep;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t lanes = 32, elements = 4, writes = 3;

/// Where each lane writes, and which of the writes it makes.
std::uint32_t written_by(std::uint32_t lane, std::uint32_t write) {
  return (lane * 7 + write * 5 + lane / 8) % elements;
}
bool makes(std::uint32_t lane, std::uint32_t write) { return (lane + write) % 3 != 0; }

/// The lanes for which element k(lane) is not written, and the array has no values from the start.
template <class F>
LaneSet never_written(F k) {
  LaneSet undefined;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::array<bool, elements> written{};
    for (std::uint32_t w = 0; w < writes; ++w)
      if (makes(lane, w)) written[written_by(lane, w)] = true;
    if (!written[k(lane)]) undefined = undefined | LaneSet::lane(static_cast<int>(lane));
  }
  return undefined;
}

int declared = 0;  ///< the line of the arrays

template <class S>
struct Writing : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{lanes};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    // clang-format off
    declared = __LINE__ + 1;
    Array<uint, elements> numbers{this}; Array<bool, elements> bools{this}; Array<vec2, elements> vectors{this};
    // clang-format on
    Array<uint, elements> filled{this, 1u, 2u, 3u, 4u};
    for (uint w = 0; w < writes; ++w) {
      const Uint k = (i * 7u + w * 5u + i / 8u) % elements;
      If ((i + w) % 3u != 0u) {
        numbers[k] = i;
        bools[k] = true;
        vectors[k] = vec2(1.0f);
        filled[k] = i;
      }
    }
    const Uint other = (i + 1u) % elements;
    data[i] = numbers[other];
    data[i] = numbers[2];
    data[i] = select(bools[other], Uint(1u), Uint(2u));
    data[i] = Uint(vec2(vectors[other]).y);
    numbers[3] += 1u;
    data[i] = numbers[3];
    data[i] = filled[other];
    If (numbers[0] == 1u) data[i] = 1u;
    numbers[1] = 5u;
    data[i] = numbers[1];
  }
};

TEST_CASE("elements of local arrays are undefined until they are written") {
  Words data(lanes);
  const Device device{.subgroup_size = lanes, .faults = Faults::counted};
  const FaultLog log = device.dispatch_checked<Writing, lanes>(1, data);
  CAPTURE(to_string(log));
  const auto other = [](std::uint32_t lane) { return (lane + 1) % elements; };
  const LaneSet others = never_written(other);
  const LaneSet expected[] = {others,
                              never_written([](std::uint32_t) { return 2u; }),
                              others,
                              others,
                              never_written([](std::uint32_t) { return 3u; }),
                              never_written([](std::uint32_t) { return 0u; })};
  REQUIRE(log.findings().size() == std::size(expected));
  for (std::size_t k = 0; k < std::size(expected); ++k) {
    const Finding& f = log.findings()[k];
    CAPTURE(k, f.message);
    CHECK(expected[k].any_lane());
    CHECK(expected[k] != LaneSet::first_n(lanes));
    CHECK(f.rule == "uninitialised-variable");
    CHECK(f.lanes == expected[k]);
    CHECK(f.origin.line == declared);
    CHECK(f.origin_message == "an element of this array has no value yet");
  }
  CHECK(log.findings().back().message == "an undefined value decides a branch");
}

TEST_CASE("without checks elements of local arrays start as zero") {
  Words data(lanes, 9);
  Device{.subgroup_size = lanes}.dispatch<Writing, lanes>(1, data);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) CHECK(data[lane] == 5);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
