#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader.hpp>

#include "sizes.hpp"

/// \file
/// What observers are told of accesses, as far as it depends on what they ask for.

namespace {

using namespace lockstep;
using Uint = std::uint32_t;

/// Keeps the accesses.
struct Accesses : Observer {
  explicit Accesses(Interest wanted) : wanted_(wanted) {}
  void on(const Event& event) override { events.push_back(event); }
  Interest interest() const override { return wanted_; }
  std::vector<Event> events;

 private:
  Interest wanted_;
};

constexpr EventKinds all_accesses{Event::Kind::read, Event::Kind::write, Event::Kind::atomic};

/// An access of a line of the shader below: the number of the element, and which invocations make it.
struct Expected {
  int line;
  std::uint64_t offset, stride;  ///< bytes of an element, and to the first number
  std::uint64_t size;            ///< bytes of the object
  std::uint32_t count;           ///< numbers
  std::function<Uint(Uint)> element;
  std::function<bool(Uint)> active = [](Uint) { return true; };
};

constexpr const char* rows = R"(#version 460
layout(local_size_x = 128) in;
struct Particle { vec4 place; uint a, b; };
layout(set = 0, binding = 0) buffer Numbers { uint n[]; };
layout(set = 0, binding = 1) buffer Particles { Particle p[]; };
layout(set = 0, binding = 2, r32ui) uniform uimage2D texels;
shared uint s[150];
void main() {
  uint i = gl_LocalInvocationIndex;
  n[i] = 1u;
  n[i + 40u] = 2u;
  n[i * 3u] = 3u;
  n[127u - i] = 4u;
  n[7] = 5u;
  if (i % 3u != 1u) n[i] = 6u;
  if (i > 4u) n[i - 5u] = 7u;
  if (i > 120u) n[i] = 8u;
  n[i - 5u] = 9u;
  n[i & ~3u] = 10u;
  p[i].place = vec4(1);
  p[i].b = 11u;
  p[i + 1u].place.y = 2.0;
  s[i] = n[i];
  atomicAdd(s[i + 22u], 1u);
  atomicMax(n[9], i);
  n[i] = imageLoad(texels, ivec2(i, 0)).x;
  imageStore(texels, ivec2(127u - i, 0), uvec4(12));
})";

std::vector<Expected> expected_accesses() {
  constexpr std::uint64_t numbers = 4 * 130, particles = 32 * 100, shared = 4 * 150;
  const auto same = [](Uint i) { return i; };
  std::vector<Expected> all{
      {10, 0, 4, numbers, 1, same},
      {11, 0, 4, numbers, 1, [](Uint i) { return i + 40; }},
      {12, 0, 4, numbers, 1, [](Uint i) { return i * 3; }},
      {13, 0, 4, numbers, 1, [](Uint i) { return 127 - i; }},
      {14, 0, 4, numbers, 1, [](Uint) { return Uint{7}; }},
      {15, 0, 4, numbers, 1, same, [](Uint i) { return i % 3 != 1; }},
      {16, 0, 4, numbers, 1, [](Uint i) { return i - 5; }, [](Uint i) { return i > 4; }},
      {17, 0, 4, numbers, 1, same, [](Uint i) { return i > 120; }},
      {18, 0, 4, numbers, 1, [](Uint i) { return i - 5; }},
      {19, 0, 4, numbers, 1, [](Uint i) { return i & ~3u; }},
      {20, 0, 32, particles, 4, same},
      {21, 20, 32, particles, 1, same},
      {22, 4, 32, particles, 1, [](Uint i) { return i + 1; }},
      {23, 0, 4, numbers, 1, same},
      {23, 0, 4, shared, 1, same},
      {24, 0, 4, shared, 1, [](Uint i) { return i + 22; }},
      {25, 0, 4, numbers, 1, [](Uint) { return Uint{9}; }},
      {26, 0, 4, 4 * 128, 1, same},
      {26, 0, 4, numbers, 1, same},
      {27, 0, 4, 4 * 128, 1, [](Uint i) { return 127 - i; }}};
  return all;
}

}  // namespace

TEST_CASE("observers that ask for no values are told the same bytes of each access") {
  auto shader = Shader::from_glsl(rows, {}, "rows.comp");
  const std::vector<Expected> expected = expected_accesses();
  for (const int size : test::few_sizes) {
    for (const bool values : {true, false}) {
      std::vector<Uint> numbers(130);
      std::vector<float> particles(8 * 100);
      Image2D texels(ImageFormat::r32ui, 128, 1);
      Accesses told({all_accesses, values});
      const Convergence convergence{.observer = &told};
      shader.bind(0, numbers).bind(1, particles).bind_image(2, texels);
      shader.dispatch({1}, {.subgroup_size = size, .convergence = &convergence});
      // Of each subgroup, whose lines follow each other.
      std::vector<std::size_t> next(128);
      for (const Event& event : told.events) {
        const std::size_t base = event.subgroup * static_cast<std::size_t>(size);
        while (true) {
          REQUIRE(next[event.subgroup] < expected.size());
          bool any = false;
          for (std::size_t i = base; i < base + static_cast<std::size_t>(size) && i < 128; ++i)
            any |= expected[next[event.subgroup]].active(static_cast<Uint>(i));
          if (any) break;
          ++next[event.subgroup];
        }
        const Expected& e = expected[next[event.subgroup]++];
        INFO("size " << size << ", values " << values << ", line " << e.line << ", subgroup "
                     << event.subgroup);
        REQUIRE(event.where.line == e.line);
        CHECK(event.access.bytes == 4);
        CHECK(event.access.count == e.count);
        REQUIRE(event.access.byte.size() == static_cast<std::size_t>(size));
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(size); ++lane) {
          const auto i = static_cast<Uint>(base + lane);
          REQUIRE(event.others.test(static_cast<int>(lane)) == (i < 128 && e.active(i)));
          if (i >= 128 || !e.active(i)) continue;
          const std::uint64_t byte = e.offset + e.element(i) * e.stride;
          const bool inside = byte + 4 * std::uint64_t{e.count} <= e.size;
          REQUIRE(event.access.byte[lane] == (inside ? byte : Access::outside));
        }
      }
      for (Uint s = 0; s * static_cast<Uint>(size) < 128; ++s) CHECK(next[s] == expected.size());
    }
  }
}

namespace {

constexpr const char* conflicts = R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Constant { uint constant[]; };
layout(set = 0, binding = 1) buffer ReadOnly { uint read_only[]; };
layout(set = 0, binding = 2) buffer Written { uint written[]; };
layout(set = 0, binding = 3) buffer Counted { uint counted[]; };
layout(set = 0, binding = 4, r32ui) uniform uimage2D image_read;
layout(set = 0, binding = 5, r32ui) uniform uimage2D images[2];
shared uint shared_numbers[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint own[4];
  own[i % 4u] = constant[i];
  shared_numbers[i] = own[(i + 1u) % 4u];
  barrier();
  written[i] = read_only[i] + shared_numbers[7u - i] + written[i];
  atomicAdd(counted[0], counted[1]);
  imageStore(images[1], ivec2(i, 0), imageLoad(image_read, ivec2(i, 0)));
  imageStore(images[1], ivec2(i, 1), imageLoad(images[0], ivec2(i, 0)));
  imageStore(images[1], ivec2(i, 2), imageLoad(images[1], ivec2(i, 0)));
})";

/// Which objects the shader reads, writes and updates, as observers are told that ask for `conflict_free` or not.
std::set<std::string> told_of(Shader& shader, bool conflict_free, std::span<Uint> constant,
                              std::span<Uint> read_only, Image2D& image) {
  std::vector<Uint> written(8), counted(2);
  Image2D first(ImageFormat::r32ui, 8, 3), second(ImageFormat::r32ui, 8, 3);
  if (read_only.empty()) read_only = written;
  shader.bind(0, constant).bind(1, read_only).bind(2, written).bind(3, counted);
  shader.bind_image(4, image).bind_image(0, 5, first, 0).bind_image(0, 5, second, 1);
  Accesses told({all_accesses, false, conflict_free});
  const Convergence convergence{.observer = &told};
  shader.dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  std::set<std::string> all;
  for (const Event& event : told.events)
    all.insert(std::string(to_string(event.kind)) + " " + to_string(event.access.object));
  return all;
}

}  // namespace

TEST_CASE("accesses that conflict with none are left out unless an observer asks for them") {
  auto shader = Shader::from_glsl(conflicts, {}, "conflicts.comp");
  std::vector<Uint> constant(8), read_only(8);
  Image2D image(ImageFormat::r32ui, 8, 1);
  const std::set<std::string> conflicting{
      "read Written",        "write Written",   "read Counted",   "atomic Counted",
      "read shared_numbers", "write images[1]", "read images[1]", "write shared_numbers"};
  std::set<std::string> all = conflicting;
  all.insert({"read Constant", "read ReadOnly", "read image_read", "read images", "read own",
              "write own"});
  CHECK(told_of(shader, true, constant, read_only, image) == all);
  CHECK(told_of(shader, false, constant, read_only, image) == conflicting);
  // The constant numbers are written through another binding.
  CHECK(told_of(shader, false, constant, {}, image) == all);
}

TEST_CASE("what is written by address may be any memory") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer Numbers { uint n[]; };
layout(push_constant) uniform Push { Numbers numbers; };
layout(set = 0, binding = 0) readonly buffer Constant { uint constant[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  numbers.n[i] = constant[i + 8u];
})",
                                  {}, "address.comp");
  std::vector<Uint> numbers(16, 1);
  for (Uint k = 8; k < 16; ++k) numbers[k] = k;
  Accesses told({all_accesses, false, false});
  const Convergence convergence{.observer = &told};
  const std::uint64_t address = shader.address_of(numbers);
  shader.bind(0, numbers).push(address).dispatch({1}, {.convergence = &convergence});
  for (Uint k = 0; k < 8; ++k) CHECK(numbers[k] == k + 8);
  REQUIRE(told.events.size() == 2);
  CHECK(told.events[0].kind == Event::Kind::read);
  CHECK(told.events[0].access.object.name == std::string_view("Constant"));
  CHECK(told.events[1].kind == Event::Kind::write);
}

TEST_CASE("reads race with writes to the same memory through another binding") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer In { uint numbers[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = numbers[i + 1u];
})",
                                  {}, "aliased.comp");
  std::vector<Uint> numbers(9), results(9);
  const DispatchSettings settings{.subgroup_size = 8, .checks = Checks::all()};
  CHECK(shader.bind(0, numbers).bind(1, results).dispatch({1}, settings).findings.count() == 0);
  // The second half of it does not overlap with what is written, the last number but one does.
  std::vector<Uint> all(18);
  shader.bind(0, std::span(all).subspan(9)).bind(1, std::span(all).first(9));
  CHECK(shader.dispatch({1}, settings).findings.count() == 0);
  shader.bind(0, std::span(all).subspan(1, 9)).bind(1, std::span(all).first(9));
  const auto run = shader.dispatch({1}, settings);
  REQUIRE(run.findings.count() > 0);
  CHECK(run.findings.first().rule == "lockstep-exchange");
}
