#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Functions that return from selections, loops and inner functions: which lanes are together afterwards, and in which
/// order they work.

using namespace lockstep;
using namespace lockstep::test;
using Uint = std::uint32_t;

namespace {

constexpr Uint invocation_count = 256;

constexpr const char* early_return_source = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) buffer Order { uint next; uint order[]; };
uint active_lanes() { return subgroupBallotBitCount(subgroupBallot(true)); }
void note(uint i) { order[i] = atomicAdd(next, 1u); }
uint inner(uint x) {
  if (x % 2u == 0u) return active_lanes();
  if (x % 5u == 1u) { if (x % 3u == 2u) return 1000u; }
  else return active_lanes() + 100u;
  return active_lanes() + 200u;
}
uint outer(uint x, uint i) {
  if (x % 3u == 0u) {
    note(i);
    return inner(x);
  }
  for (uint k = 0; k < 3; ++k) {
    if (x % 7u == k) return active_lanes() + 300u;
  }
  note(i);
  uint y = inner(x) + active_lanes() * 1000u;
  if (x % 11u < 6u) { y += active_lanes() * 100000u; } else { return y; }
  return y + 7u;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = outer(i * 5u + i / 9u, i) + active_lanes() * 1000000u;
}
)";

/// The numbers of lanes of a subgroup that are together at the places of the shader.
class Group {
 public:
  Group(Uint first, Uint size) : first_(first), size_(size) {}

  Uint result(Uint lane) const { return outer(x_of(lane)) + size_ * 1000000; }
  /// Whether the lane notes that it was there, and whether it does before others do.
  static bool notes_first(Uint x) { return x % 3 == 0; }
  static bool notes(Uint x) { return notes_first(x) || goes_on(x); }
  Uint x_of(Uint lane) const {
    const Uint i = first_ + lane;
    return i * 5 + i / 9;
  }

 private:
  static bool goes_on(Uint x) { return x % 3 != 0 && x % 7 >= 3; }
  template <class F>
  Uint lanes(F is_there) const {
    Uint found = 0;
    for (Uint k = 0; k < size_; ++k) found += is_there(x_of(k)) ? 1 : 0;
    return found;
  }
  Uint inner(Uint x, bool first) const {
    const auto here = [&](auto is_there) {
      return lanes([&](Uint v) { return (first ? notes_first(v) : goes_on(v)) && is_there(v); });
    };
    if (x % 2 == 0) return here([](Uint v) { return v % 2 == 0; });
    if (x % 5 != 1) return here([](Uint v) { return v % 2 != 0 && v % 5 != 1; }) + 100;
    if (x % 3 == 2) return 1000;
    return here([](Uint v) { return v % 2 != 0 && v % 5 == 1 && v % 3 != 2; }) + 200;
  }
  Uint outer(Uint x) const {
    if (notes_first(x)) return inner(x, true);
    if (x % 7 < 3) return lanes([&](Uint v) { return v % 3 != 0 && v % 7 == x % 7; }) + 300;
    Uint y = inner(x, false) + lanes(goes_on) * 1000;
    if (x % 11 >= 6) return y;
    y += lanes([](Uint v) { return goes_on(v) && v % 11 < 6; }) * 100000;
    return y + 7;
  }

  Uint first_, size_;
};

}  // namespace

TEST_CASE("lanes that return early are together again after the call") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(early_return_source);
    for (const Uint size : {1u, 8u, 16u, 32u, 64u, 128u}) {
      std::vector<Uint> out(invocation_count), order(invocation_count + 1, 77);
      order[0] = 0;
      shader.bind(0, out).bind(1, order).dispatch(
          {invocation_count / 128}, {.subgroup_size = static_cast<int>(size), .threads = 1});
      CAPTURE(name_of(target), size);
      Uint next = 0;
      for (Uint first = 0; first < invocation_count; first += size) {
        const Group group(first, size);
        for (const bool early : {true, false}) {
          for (Uint lane = 0; lane < size; ++lane) {
            const Uint x = group.x_of(lane);
            CAPTURE(first + lane, x);
            if (early) REQUIRE(out[first + lane] == group.result(lane));
            if (Group::notes(x) && Group::notes_first(x) == early)
              REQUIRE(order[1 + first + lane] == next++);
            if (!Group::notes(x)) REQUIRE(order[1 + first + lane] == 77);
          }
        }
      }
    }
  }
}
