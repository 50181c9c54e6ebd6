#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

/// A ballot after a selection whose sides the two halves of a subgroup take.
constexpr const char* behind_a_selection = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint r = 0u;
  if (i < 3u) r = subgroupBallot(true).x; else r = subgroupBallot(true).x * 1000u;
  o[i] = r + 1000000u * subgroupBallot(true).x;
})";

struct Recorder : Observer {
  void on(const Event& event) override {
    if (event.kind == Event::Kind::built_in) log += std::string(event.name) + " ";
    if (event.kind == Event::Kind::enter) log += "enter:" + std::to_string(event.where.line) + " ";
    if (event.kind == Event::Kind::leave) log += "leave ";
    if (event.kind == Event::Kind::barrier) log += "barrier ";
  }
  std::string log;
};

std::vector<Uint> run(const char* text, const Convergence& convergence, std::size_t results = 8) {
  auto shader = Shader::from_glsl(text, {}, "kernel.comp");
  std::vector<Uint> out(results);
  shader.bind(0, out).dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  return out;
}

}  // namespace

TEST_CASE("lanes reconverge as the rule and the chooser say") {
  Chooser none = Chooser::rejoin_none(), all = Chooser::rejoin_all();
  struct Case {
    Convergence convergence;
    bool together;
  };
  const Case cases[] = {{{Rule::maximal, &none}, true},
                        {{Rule::subgroup_uniform, &none}, true},
                        {{Rule::core, &none}, true},
                        {{Rule::core, &all}, true}};
  for (const Case& c : cases) {
    const auto out = run(behind_a_selection, c.convergence);
    for (std::size_t i = 0; i < 8; ++i) {
      INFO(to_string(c.convergence.rule) << ", lane " << i);
      const Uint side = i < 3 ? 7u : 0xf8u * 1000;
      const Uint behind = c.together ? 255u : i < 3 ? 7u : 0xf8u;
      REQUIRE(out[i] == side + 1000000 * behind);
    }
  }
}

TEST_CASE("lanes may stay apart where no merge is promised") {
  // The selection is inside another that not all lanes enter: nothing is promised after it.
  constexpr const char* nested = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint r = 0u;
  if (i != 7u) {
    if (i < 3u) r = 1u; else r = 2u;
    r += 100u * subgroupBallot(true).x;
  }
  o[i] = r;
})";
  Chooser none = Chooser::rejoin_none(), all = Chooser::rejoin_all();
  const auto apart = run(nested, {Rule::subgroup_uniform, &none});
  const auto joined = run(nested, {Rule::subgroup_uniform, &all});
  const auto maximal = run(nested, {Rule::maximal, &none});
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(apart[i] == (i < 3 ? 1 + 100u * 7 : 2 + 100u * 0x78));
    CHECK(joined[i] == (i < 3 ? 1u : 2u) + 100u * 0x7f);
    CHECK(maximal[i] == joined[i]);
  }
}

TEST_CASE("an observer receives built-ins, selections and barriers") {
  constexpr const char* kernel = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint s[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 3u)
    s[i] = subgroupAdd(i);
  else
    s[i] = subgroupMax(i);
  barrier();
  o[i] = s[7u - i];
})";
  Recorder recorder;
  Convergence convergence;
  convergence.observer = &recorder;
  const auto out = run(kernel, convergence);
  CHECK(recorder.log == "enter:8 subgroupAdd subgroupMax leave barrier ");
  for (std::size_t i = 0; i < 8; ++i) CHECK(out[i] == (i < 5 ? 7 : 3));
}

TEST_CASE(
    "loops, switches and calls run alike on the fast and the tangled engine under maximal "
    "reconvergence") {
  constexpr const char* kernel = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 40) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
uint step_(uint n, uint i) {
  for (uint k = 0u; k < n; ++k) {
    if (k == i % 5u) return subgroupBallot(true).x;
    if ((k ^ i) == 6u) continue;
    switch ((k + i) % 4u) {
      case 0u: n -= 1u;
      case 1u: i += subgroupBallotBitCount(subgroupBallot(true)); break;
      default: i ^= 3u;
    }
  }
  return i * 17u + subgroupBallot(true).x;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint r = step_(i % 9u, i);
  do { r = r * 3u + subgroupBallot(true).x; i += 5u; if (i % 7u == 2u) continue; r ^= i; } while (i < 40u);
  o[gl_GlobalInvocationID.x] = r;
})";
  auto shader = Shader::from_glsl(kernel);
  for (const int size : {4, 8, 24, 32, 64}) {
    std::vector<Uint> fast(80), tangled(80);
    shader.bind(0, fast).dispatch({2}, {.subgroup_size = size, .threads = 1});
    const Convergence convergence;
    shader.bind(0, tangled).dispatch({2}, {.subgroup_size = size, .convergence = &convergence});
    CHECK(fast == tangled);
  }
}

namespace {

struct Accesses : Observer {
  void on(const Event& event) override {
    using Kind = Event::Kind;
    if (event.kind == Kind::line) lines.push_back(event.where.line);
    if (event.kind != Kind::read && event.kind != Kind::write && event.kind != Kind::atomic) return;
    std::string text(to_string(event.kind));
    text += std::string(event.name) + "@" + std::to_string(event.where.line) + " binding " +
            std::to_string(event.access.object.binding) + " lanes " + to_string(event.others) +
            " byte ";
    const int lane = event.others.first();
    text += std::to_string(event.access.byte[static_cast<std::size_t>(lane)]) + ":";
    for (const LaneValues& operand : event.operands) text += " " + to_string(operand, lane);
    if (event.result.type != LaneValues::Type::none) text += " = " + to_string(event.result, lane);
    log.push_back(text);
  }
  std::vector<std::string> log;
  std::vector<int> lines;
};

}  // namespace

TEST_CASE("an observer receives each access with its line, operands and result") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 3) buffer In { uint head; uint values[]; };
layout(set = 0, binding = 5) buffer Out { vec2 o[]; };
shared uint total;
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = values[i + 1u];
  x = x * 3u;
  if (i > 5u) {
    o[i].y = float(x);
  }
  atomicAdd(total, i);
})",
                                  {}, "kernel.comp");
  std::vector<Uint> in(10), out(16);
  for (Uint i = 0; i < 10; ++i) in[i] = i * 11;
  Accesses accesses;
  const Convergence convergence{.observer = &accesses};
  shader.bind(3, in).bind(5, out).dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  REQUIRE(accesses.log.size() == 3);
  CHECK(accesses.log[0] == "read@8 binding 3 lanes 0-7 byte 8: = 22");
  CHECK(accesses.log[1] == "write@11 binding 5 lanes 6-7 byte 52: 264");
  CHECK(accesses.log[2] == "atomicatomicAdd@13 binding 0 lanes 0-7 byte 0: 0 = 0");
  for (const int line : {8, 9, 11, 13})
    CHECK(std::count(accesses.lines.begin(), accesses.lines.end(), line) == 1);
}

namespace {

/// Every access of a run, in all of its lanes.
struct ImageAccesses : Observer {
  void on(const Event& event) override {
    using Kind = Event::Kind;
    if (event.kind == Kind::read || event.kind == Kind::write || event.kind == Kind::atomic)
      events.push_back(event);
    if (names.size() < events.size()) names.emplace_back(event.name);
  }
  std::vector<Event> events;
  std::vector<std::string> names;
};

}  // namespace

TEST_CASE("an observer receives the coordinates and texels of image accesses") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 1, r32f) uniform image2D source;
layout(set = 0, binding = 2, r32ui) uniform uimage3D target;
layout(set = 0, binding = 4, r32ui) uniform uimage2D counts[2];
void main() {
  int i = int(gl_LocalInvocationIndex);
  vec4 texel = imageLoad(source, ivec2(i % 4, i / 4));
  if (i > 4) {
    imageStore(target, ivec3(i % 2, i % 3, i - 4), uvec4(texel.x, 7u, 8u, 9u));
  }
  uint before = imageAtomicAdd(counts[1], ivec2(0, i % 3), uint(i));
  imageStore(counts[0], ivec2(i, 0), uvec4(before));
})",
                                  {}, "kernel.comp");
  Image2D source(ImageFormat::r32f, 4, 2), first(ImageFormat::r32ui, 6, 1),
      second(ImageFormat::r32ui, 1, 3);
  Image3D target(ImageFormat::r32ui, {2, 3, 4});
  auto* texels = reinterpret_cast<float*>(source.bytes().data());
  for (int i = 0; i < 8; ++i) texels[i] = static_cast<float>(i * i + 10);
  ImageAccesses told;
  const Convergence convergence{.observer = &told};
  shader.bind_image(1, source).bind_image(2, target);
  shader.bind_image(0, 4, first, 0).bind_image(0, 4, second, 1);
  shader.dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  REQUIRE(told.names ==
          std::vector<std::string>{"imageLoad", "imageStore", "imageAtomicAdd", "imageStore"});
  const Event::Kind kinds[] = {Event::Kind::read, Event::Kind::write, Event::Kind::atomic,
                               Event::Kind::write};
  const int lines[] = {8, 10, 12, 13};
  const Uint bindings[] = {1, 2, 4, 4};
  for (std::size_t k = 0; k < 4; ++k) {
    INFO(told.names[k]);
    CHECK(told.events[k].kind == kinds[k]);
    CHECK(told.events[k].where.line == lines[k]);
    CHECK(told.events[k].access.object.binding == bindings[k]);
    CHECK(told.events[k].access.object.kind == MemoryObject::Kind::image);
    CHECK(to_string(told.events[k].others) == (k == 1 ? "5-7" : "0-7"));
    CHECK(told.events[k].operands.size() == (k == 0 ? 1 : 2));
  }
  std::vector<int> sums(3);
  for (int i = 0; i < 8; ++i) {
    INFO("lane " << i);
    const auto text = [i](const LaneValues& values) { return to_string(values, i); };
    const auto number = [](auto value) { return std::to_string(value); };
    const int texel = i * i + 10;
    CHECK(text(told.events[0].operands[0]) == "(" + number(i % 4) + ", " + number(i / 4) + ")");
    CHECK(text(told.events[0].result) == "(" + number(texel) + ", 0, 0, 1)");
    if (i > 4) {
      CHECK(text(told.events[1].operands[0]) ==
            "(" + number(i % 2) + ", " + number(i % 3) + ", " + number(i - 4) + ")");
      CHECK(text(told.events[1].operands[1]) == "(" + number(texel) + ", 7, 8, 9)");
    }
    const auto row = static_cast<std::size_t>(i % 3);
    CHECK(text(told.events[2].operands[0]) == "(0, " + number(row) + ")");
    CHECK(text(told.events[2].operands[1]) == number(i));
    CHECK(text(told.events[2].result) == number(sums[row]));
    // The last two are outside.
    CHECK(text(told.events[3].operands[0]) == (i < 6 ? "(" + number(i) + ", 0)" : "(-1, -1)"));
    const std::string before = number(sums[row]);
    CHECK(text(told.events[3].operands[1]) ==
          "(" + before + ", " + before + ", " + before + ", " + before + ")");
    sums[row] += i;
  }
}

TEST_CASE("an observer receives the coordinates in that image of an array that each lane selects") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 6, r32ui) uniform uimage2D images[2];
void main() {
  int i = int(gl_LocalInvocationIndex);
  int k = i % 2;
  ivec2 at = k == 0 ? ivec2(i / 4, i % 4) : ivec2(i % 4, i / 4);
  uint texel = imageLoad(images[nonuniformEXT(k)], at).x;
  imageAtomicMax(images[nonuniformEXT(k)], at, texel + 5u);
})",
                                  {}, "kernel.comp");
  Image2D tall(ImageFormat::r32ui, 2, 4), wide(ImageFormat::r32ui, 4, 2);
  const std::span<std::byte> memory[] = {tall.bytes(), wide.bytes()};
  for (Uint k = 0; k < 2; ++k)
    for (Uint texel = 0; texel < 8; ++texel)
      reinterpret_cast<Uint*>(memory[k].data())[texel] = 100 * k + texel;
  ImageAccesses told;
  const Convergence convergence{.observer = &told};
  shader.bind_image(0, 6, tall, 0).bind_image(0, 6, wide, 1);
  shader.dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  // Each image has events of its own, the one of the lowest lane first.
  REQUIRE(told.names ==
          std::vector<std::string>{"imageLoad", "imageLoad", "imageAtomicMax", "imageAtomicMax"});
  for (int i = 0; i < 8; ++i) {
    INFO("lane " << i);
    const int x = i % 2 == 0 ? i / 4 : i % 4, y = i % 2 == 0 ? i % 4 : i / 4;
    const int texel = i % 2 == 0 ? y * 2 + x : 100 + y * 4 + x;
    const std::string place = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
    const auto element = static_cast<Uint>(i % 2);
    const Event& load = told.events[element];
    const Event& atomic = told.events[2 + element];
    CHECK(to_string(load.operands[0], i) == place);
    CHECK(to_string(load.result, i) == "(" + std::to_string(texel) + ", 0, 0, 1)");
    CHECK(to_string(atomic.operands[0], i) == place);
    CHECK(to_string(atomic.operands[1], i) == std::to_string(texel + 5));
    for (const Event* event : {&load, &atomic}) {
      CHECK(to_string(event->others) == (element == 0 ? "0,2,4,6" : "1,3,5,7"));
      CHECK(event->access.object.binding == 6);
      CHECK(event->access.object.element == element);
      CHECK(event->access.bytes == 4);
      CHECK(event->access.byte[static_cast<std::size_t>(i)] ==
            4 * static_cast<std::uint64_t>(texel % 100));
    }
  }
}

namespace {

struct Kept : Observer {
  void on(const Event& event) override { events.push_back(event); }
  std::vector<Event> events;
};

}  // namespace

TEST_CASE("an observer receives accesses by index to private arrays") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint digits[3];
  for (uint k = 0u; k < 3u; ++k) digits[k] = 10u * k;
  if (i > 1u) digits[i] = i;
  o[i] = digits[2u - i % 3u];
})",
                                  {}, "kernel.comp");
  std::vector<Uint> out(8);
  Kept kept;
  const Convergence convergence{.observer = &kept};
  shader.bind(0, out).dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  std::vector<Event> accesses;
  for (const Event& event : kept.events) {
    if (event.access.object.kind == MemoryObject::Kind::private_memory) accesses.push_back(event);
  }
  REQUIRE(accesses.size() == 5);
  for (const Event& event : accesses) {
    CHECK(std::string(event.access.object.name) == "digits");
    CHECK(event.access.bytes == 4);
  }
  for (Uint k = 0; k < 3; ++k) {
    CHECK(accesses[k].kind == Event::Kind::write);
    CHECK(accesses[k].access.byte == std::vector<std::uint64_t>(8, 4 * k));
  }
  CHECK(to_string(accesses[3].others) == "2-7");
  for (Uint i = 2; i < 8; ++i)
    CHECK(accesses[3].access.byte[i] == (i < 3 ? 4 * i : Access::outside));
  CHECK(accesses[4].kind == Event::Kind::read);
  for (Uint i = 0; i < 8; ++i) {
    const Uint element = 2 - i % 3;
    CHECK(accesses[4].access.byte[i] == 4 * element);
    CHECK(to_string(accesses[4].result, static_cast<int>(i)) == std::to_string(out[i]));
    CHECK(out[i] == (i == 2 ? 0 : 10 * element));
  }
}

TEST_CASE("events outlive their shader") {
  Kept kept;
  {
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_vote : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() { o[gl_LocalInvocationIndex] = uint(subgroupAll(gl_LocalInvocationIndex < 9u)); })",
                                    {}, "gone.comp");
    std::vector<Uint> out(8);
    const Convergence convergence{.observer = &kept};
    shader.bind(0, out).dispatch({1}, {.subgroup_size = 8, .convergence = &convergence});
  }
  std::string log;
  for (const Event& event : kept.events) log += to_string(event) + "\n";
  CHECK(log.find("gone.comp:5: built-in subgroupAll -> {0-7}, (0-7: true) = (0-7: true)") !=
        std::string::npos);
  CHECK(log.find("gone.comp:5: write Out -> {0-7}, others {0-7}, bytes (0: 0, 1: 4,") !=
        std::string::npos);
}
