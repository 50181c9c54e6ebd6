#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// A race is told once, whichever of its accesses comes first, and by the element.

namespace {

using namespace lockstep;

/// What is found in one workgroup of 64 invocations, in two subgroups, whose main does this.
FaultLog found_in(const std::string& body) {
  const std::string glsl = R"(#version 460
    layout(local_size_x = 64) in;
    layout(std430, binding = 0) buffer Data { uint data[]; };
    layout(std430, binding = 1) buffer Mixed { uint count; uint mixed[]; };
    struct Pair { uint x, y; };
    layout(std430, binding = 2) buffer Pairs { Pair pairs[]; };
    shared uint tile[64];
    shared vec4 colors[64];
    shared uint number;
    uint i = gl_LocalInvocationIndex;
    void main() {)" + body +
                           "}";
  std::vector<std::uint32_t> data(128), mixed(128), pairs(128);
  Shader shader = Shader::from_glsl(glsl);
  if (body.find("data[") != std::string::npos) shader.bind(0, data);
  if (body.find("mixed[") != std::string::npos) shader.bind(1, mixed);
  if (body.find("pairs[") != std::string::npos) shader.bind(2, pairs);
  return shader.dispatch({1}, {.subgroup_size = 32, .checks = {Check::data_race}}).findings;
}

/// The message of the only finding, up to the other access.
std::string place_in(const std::string& body) {
  const FaultLog log = found_in(body);
  INFO(to_string(log));
  CHECK(log.findings().size() == 1);
  const std::string& message = log.first().message;
  return message.substr(0, message.find(", which"));
}

}  // namespace

TEST_CASE("a race of a write and a read is told once") {
  // Each subgroup writes half of the array and reads the other: the second races with the first in both directions.
  const FaultLog log = found_in(R"(
    tile[i] = i;
    data[i] = tile[63 - i];)");
  CAPTURE(to_string(log));
  REQUIRE(log.findings().size() == 1);
  const Finding& race = log.first();
  CHECK(race.count == 64);
  REQUIRE(race.other);
  CHECK(race.where.line + 1 == race.other->where.line);
  CHECK(race.lanes == LaneSet::first_n(32));
}

TEST_CASE("a race is told by the element of its array") {
  CHECK(place_in("if (i == 5) tile[7] = i; if (i == 40) data[0] = tile[7];") == "read of tile[7]");
  CHECK(place_in("if (i == 5) data[9] = i; if (i == 40) data[9] = 1;") ==
        "write to element 9 of Data");
  CHECK(place_in("if (i == 5) colors[3].z = 1; if (i == 40) colors[3].z = 2;") ==
        "write to byte 8 of colors[3]");
  CHECK(place_in("if (i == 5) pairs[2].y = 1; if (i == 40) pairs[2].y = 2;") ==
        "write to byte 4 of element 2 of Pairs");
  CHECK(place_in("if (i == 5) mixed[2] = 1; if (i == 40) mixed[2] = 2;") ==
        "write to byte 12 of Mixed");
  CHECK(place_in("if (i == 5) number = 1; if (i == 40) number = 2;") ==
        "write to byte 0 of number");
}
