#include <lockstep/check/checker.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

LaneValues numbers(std::vector<std::uint64_t> bits, int components = 1) {
  return {LaneValues::Type::uint32, components, std::move(bits)};
}

/// The findings of a built-in that these lanes of a subgroup of `size` execute.
std::string found(std::string_view name, std::vector<LaneValues> operands, LaneSet lanes,
                  int size = 8) {
  Checker checker(Checks::all(), size);
  Event event;
  event.kind = Event::Kind::built_in;
  event.where = {"a.comp", 7};
  event.tangles = {{lanes, false}};
  event.name = name;
  event.operands = std::move(operands);
  checker.on(event);
  return to_string(checker.take());
}

const LaneValues values = numbers({0, 0, 0, 0, 0, 0, 0, 0});
const LaneValues odd = numbers({0, 1, 0, 1, 0, 1, 0, 1});

}  // namespace

TEST_CASE("operands that must agree are compared over the active lanes alone") {
  for (const std::string_view name : {"subgroupBroadcast", "subgroupRotate"}) {
    INFO(name);
    CHECK(found(name, {values, odd}, {0x55}) == "no findings");
    CHECK_THAT(found(name, {values, odd}, {0x31}), Catch::Contains("lane 0 has 0, lane 5 has 1") &&
                                                       Catch::EndsWith("lanes 0,4-5, 3 times"));
  }
  const LaneValues ballots = numbers({1, 0, 1, 0, 1, 2}, 2);
  CHECK(found("subgroupInverseBallot", {ballots}, {3}) == "no findings");
  CHECK_THAT(found("subgroupInverseBallot", {ballots}, {6}),
             Catch::Contains("[inverse-ballot-not-uniform]") && Catch::Contains("lane 2 has"));
  CHECK_THAT(found("subgroupClusteredRotate",
                   {values, odd, numbers(std::vector<std::uint64_t>(8, 4))}, {3}),
             Catch::Contains("[rotate-not-uniform]"));
}

TEST_CASE("clusters are a power of two and fit the subgroup") {
  const auto of = [](std::uint64_t lanes) {
    return found("subgroupClusteredAdd", {values, numbers(std::vector<std::uint64_t>(8, lanes))},
                 {3});
  };
  for (const std::uint64_t lanes : {1u, 2u, 4u, 8u}) CHECK(of(lanes) == "no findings");
  for (const std::uint64_t lanes : {0u, 3u, 6u, 16u})
    CHECK_THAT(of(lanes), Catch::Contains("[cluster-size]"));
}

TEST_CASE("quads agree each on their own") {
  const LaneValues each = numbers({1, 1, 1, 1, 2, 2, 2, 2}),
                   late = numbers({1, 1, 1, 1, 2, 2, 3, 2});
  CHECK(found("subgroupQuadBroadcast", {values, each}, {0xff}) == "no findings");
  CHECK(found("subgroupQuadBroadcast", {values, late}, {0xbf}) == "no findings");
  CHECK_THAT(
      found("subgroupQuadBroadcast", {values, late}, {0xff}),
      Catch::Contains("lane 4 has 2, lane 6 has 3") && Catch::Contains("lanes 4-7, 4 times"));
  CHECK_THAT(found("subgroupQuadBroadcast", {values, numbers({4, 4, 4, 4, 4, 4, 4, 4})}, {0xf}),
             Catch::Contains("from lane 4 of a quad"));
  CHECK(found("subgroupQuadSwapHorizontal", {values}, {3}, 4) == "no findings");
  CHECK_THAT(found("subgroupQuadSwapHorizontal", {values}, {3}, 2), Catch::Contains("[quad-size]"));
}

TEST_CASE("bits of a ballot that are ignored, or count lanes that are not active, are a note") {
  const auto same = [](std::vector<std::uint64_t> words) {
    std::vector<std::uint64_t> bits;
    for (int lane = 0; lane < 8; ++lane) bits.insert(bits.end(), words.begin(), words.end());
    return numbers(std::move(bits), 4);
  };
  const LaneValues of_here = same({0xff, 0, 0, 0}), above = same({0x1ff, 0, 1, 0}),
                   ones = same({~0u, ~0u, ~0u, ~0u});
  for (const std::string_view name :
       {"subgroupInverseBallot", "subgroupBallotBitCount", "subgroupBallotFindMSB"}) {
    INFO(name);
    CHECK(found(name, {of_here}, {0x0f}) == "no findings");
    CHECK_THAT(found(name, {above}, {0x0f}), Catch::Contains("note: bits 8,64 of the ballot") &&
                                                 Catch::Contains("lanes 0-3") &&
                                                 Catch::Contains("[ballot-bit-outside]"));
    CHECK(found(name, {ones}, {0xff}) == "no findings");
    CHECK(found(name, {same({5, 5, 5, 5})}, {0x0f}) == "no findings");
    CHECK_THAT(found(name, {same({0, 1, 0, 0})}, {1}),
               Catch::Contains("note: bit 32 of the ballot"));
  }
  CHECK_THAT(found("subgroupBallotBitCount", {ones}, {0x0f}),
             Catch::Contains("note: subgroupBallotBitCount of all ones gives 8, but 4 of these"));
  CHECK(found("subgroupBallotInclusiveBitCount", {ones}, {0x0f}) == "no findings");
}

TEST_CASE("ballots that are a partition but for bits of lanes that are not active are a note") {
  const auto ballots = [](std::vector<std::uint64_t> low) {
    std::vector<std::uint64_t> bits;
    for (const std::uint64_t word : low) bits.insert(bits.end(), {word, 0, 0, 0});
    return numbers(std::move(bits), 4);
  };
  constexpr std::string_view add = "subgroupPartitionedAddNV";
  // Lanes 0 to 3 are active: {0, 2} and {1, 3}.
  CHECK(found(add, {values, ballots({0x15, 0x0a, 0x15, 0x0a, 0, 0, 0, 0})}, {0xf}) ==
        "no findings");
  CHECK_THAT(found(add, {values, ballots({0x15, 0x0a, 0x05, 0x0a, 0, 0, 0, 0})}, {0xf}),
             Catch::Contains("note: the ballots that subgroupPartitionedAddNV takes in lanes 0 and "
                             "2 differ") &&
                 Catch::Contains("[partition-invalid]") && Catch::EndsWith("lanes 0,2, 2 times"));
  // No partition at all: its result is undefined, which others report.
  CHECK(found(add, {values, ballots({0x17, 0x0a, 0x05, 0x0a, 0, 0, 0, 0})}, {0xf}) ==
        "no findings");
}
