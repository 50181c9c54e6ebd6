#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Resources whose accesses cannot race are not examined. Random programs have races exactly where a plain loop over all
/// invocations finds two of them at the same byte.

namespace {

using namespace lockstep;
using Uint = std::uint32_t;
using Three = std::array<Uint, 3>;

/// One invocation.
struct Ids {
  Three group, local, size;
  Uint global(std::size_t axis) const { return group[axis] * size[axis] + local[axis]; }
  Uint index() const { return (local[2] * size[1] + local[1]) * size[0] + local[0]; }
};

/// A number, in GLSL and here. K is the size of the workgroup in x.
struct Index {
  const char* text;
  std::function<Uint(const Ids&)> of;
};
const Index indices[] = {
    {"g.x", [](const Ids& i) { return i.global(0); }},
    {"g.x", [](const Ids& i) { return i.global(0); }},
    {"g.y", [](const Ids& i) { return i.global(1); }},
    {"g.y + 1u", [](const Ids& i) { return i.global(1) + 1; }},
    {"g.x + 1u", [](const Ids& i) { return i.global(0) + 1; }},
    {"g.x - 1u", [](const Ids& i) { return i.global(0) - 1; }},
    {"3u + g.x * 2u", [](const Ids& i) { return 3 + i.global(0) * 2; }},
    {"g.x * 2u", [](const Ids& i) { return i.global(0) * 2; }},
    {"(g.x << 1) + 1u", [](const Ids& i) { return i.global(0) * 2 + 1; }},
    {"g.x * 3u", [](const Ids& i) { return i.global(0) * 3; }},
    {"gl_WorkGroupID.x * K + l.x", [](const Ids& i) { return i.global(0); }},
    {"gl_WorkGroupID.x * (K / 2u) + l.x",
     [](const Ids& i) { return i.group[0] * (i.size[0] / 2) + i.local[0]; }},
    {"gl_WorkGroupID.x * K * 2u + l.x",
     [](const Ids& i) { return i.group[0] * i.size[0] * 2 + i.local[0]; }},
    {"gl_WorkGroupID.x", [](const Ids& i) { return i.group[0]; }},
    {"l.x", [](const Ids& i) { return i.local[0]; }},
    {"l.x * 2u", [](const Ids& i) { return i.local[0] * 2; }},
    {"gl_LocalInvocationIndex", [](const Ids& i) { return i.index(); }},
    {"gl_WorkGroupID.x * K + gl_LocalInvocationIndex",
     [](const Ids& i) { return i.group[0] * i.size[0] + i.index(); }},
    {"g.x / 2u", [](const Ids& i) { return i.global(0) / 2; }},
    {"g.x & 7u", [](const Ids& i) { return i.global(0) & 7; }},
    {"g.x + g.y", [](const Ids& i) { return i.global(0) + i.global(1); }},
    {"g.x - l.x", [](const Ids& i) { return i.global(0) - i.local[0]; }},
    {"g.x + g.x", [](const Ids& i) { return i.global(0) * 2; }},
    {"g.x * 0x80000000u", [](const Ids& i) { return i.global(0) * 0x80000000u; }},
    {"g.z * 2u", [](const Ids& i) { return i.global(2) * 2; }},
    {"5u", [](const Ids&) { return Uint{5}; }},
};

/// What is accessed at an index {0}: some bytes of elements.
struct Place {
  const char* text;
  const char* sum;   ///< of all that is read there
  Uint first, last;  ///< bytes in the element
  const char* one = "1u";
};
/// Memory, and the places in it.
struct Resource {
  const char* declaration;
  Uint stride;  ///< bytes from element to element
  Place places[3];
  bool shared = false, image = false;
};
constexpr Uint elements = 512, columns = 64;
constexpr Place number_of_n{"n[{0}]", "n[{0}]", 0, 3}, number_of_s{"s[{0}]", "s[{0}]", 0, 3};
const Resource resources[] = {
    {"layout(binding = 0) buffer N { uint n[]; };", 4, {number_of_n, number_of_n, number_of_n}},
    {"struct P { uint a; uvec2 b; }; layout(binding = 0, std430) buffer Ps { P p[]; };",
     16,
     {{"p[{0}].a", "p[{0}].a", 0, 3},
      {"p[{0}].b", "p[{0}].b.x + p[{0}].b.y", 8, 15, "uvec2(1)"},
      {"p[{0}].b.x", "p[{0}].b.x", 8, 11}}},
    {"layout(binding = 0) buffer V { uvec4 v[]; };",
     16,
     {{"v[{0}]", "v[{0}].x + v[{0}].y + v[{0}].z + v[{0}].w", 0, 15, "uvec4(1)"},
      {"v[{0}].y", "v[{0}].y", 4, 7},
      {"v[{0}].w", "v[{0}].w", 12, 15}}},
    {"shared uint s[512];", 4, {number_of_s, number_of_s, number_of_s}, true},
    {"struct P { uint a; uvec2 b; }; shared struct { uint first; P p[64]; } q;",
     16,
     {{"q.p[{0}].a", "q.p[{0}].a", 0, 3},
      {"q.p[{0}].b", "q.p[{0}].b.x + q.p[{0}].b.y", 8, 15, "uvec2(1)"},
      {"q.p[{0}].b.y", "q.p[{0}].b.y", 12, 15}},
     true},
    {"layout(binding = 0, r32ui) uniform uimage2D pixels;", 4, {}, false, true},
    {"layout(binding = 0, r32ui) uniform uimage2D pixels;", 4, {}, false, true},
    {"layout(binding = 0, r32ui) uniform uimage2D pixels;", 4, {}, false, true},
};
enum class Kind { read, write, atomic };

/// A program that accesses one resource one to four times. It has barriers, some of them in loops or selections, and all
/// invocations come to each barrier.
class Program {
 public:
  explicit Program(Uint seed) : random_(seed), resource_(resources[pick(std::size(resources))]) {
    const bool row = pick(2) == 0;
    size_ = {1 + pick(8) * pick(2), row ? 1 : 1 + pick(3), row ? 1 : 1 + pick(2)};
    groups_ = {1 + pick(4), row ? 1 : 1 + pick(2), row || pick(2) == 0 ? 1 : 1 + pick(2)};
    atomics_ = resource_.stride == 4 && pick(3) == 0;
    std::vector<Step> all;
    add_steps(1 + pick(3), all);
    if (pick(3) == 0) add_loop(all);
    if (pick(2) == 0) add_steps(1, all);
    steps_ = std::move(all);
  }

  std::string source() const {
    const bool is_row = groups_[1] * size_[1] * groups_[2] * size_[2] == 1;
    return fmt::format(R"(#version 460
layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;
{}
layout(binding = 1) buffer Out {{ uint o[]; }};
void main() {{
  const uint K = {}u;
  uvec3 g = gl_GlobalInvocationID, l = gl_LocalInvocationID;
  uint sum = 0u;
{}  o[{}] = sum;
}})",
                       size_[0], size_[1], size_[2], resource_.declaration, size_[0], body_,
                       is_row ? "g.x" : "(g.z * 16u + g.y) * 64u + g.x");
  }

  /// Whether two invocations access a byte, one of them to write and not both by atomics, without a barrier in between
  /// that orders the memory.
  bool has_race() const {
    bool found = false;
    Touched touched;
    for_each_of(groups_, [&](const Three& group) {
      if (resource_.shared) touched.clear();
      for (const Step& step : steps_) {
        if (step.barrier && resource_.shared) touched.clear();
        if (step.barrier) continue;
        for_each_of(size_, [&](const Three& local) {
          found = touch(touched, step, {group, local, size_}) || found;
        });
      }
    });
    return found;
  }

  /// Whether the run finds a race at this subgroup size.
  bool is_found(int subgroup_size) const {
    std::vector<Uint> numbers(elements * 4), out(64 * 16 * 4);
    Image2D pixels(ImageFormat::r32ui, columns, columns);
    auto shader = Shader::from_glsl(source(), {}, "race_free.comp");
    shader.bind(1, out);
    if (resource_.image)
      shader.bind_image(0, pixels);
    else if (!resource_.shared)
      shader.bind(0, numbers);
    const Checks races{Check::data_race, Check::lockstep_exchange, Check::atomic_mixed,
                       Check::barrier_orders_shared_only};
    const auto run = shader.dispatch({groups_[0], groups_[1], groups_[2]},
                                     {.subgroup_size = subgroup_size, .checks = races});
    return run.findings.count() > 0;
  }

 private:
  struct Step {
    bool barrier = false;
    Kind kind = Kind::read;
    Uint first = 0, last = 0;
    const Index *x = nullptr, *y = nullptr;
  };
  struct Touch {
    Three group, local;
    Kind kind;
  };
  using Touched = std::map<std::uint64_t, std::vector<Touch>>;

  Uint pick(std::size_t n) { return static_cast<Uint>(random_() % n); }
  const Index& pick_index() {
    return pick(2) == 0 ? indices[0] : indices[pick(std::size(indices))];
  }

  template <class F>
  static void for_each_of(const Three& size, F f) {
    for (Uint z = 0; z < size[2]; ++z)
      for (Uint y = 0; y < size[1]; ++y)
        for (Uint x = 0; x < size[0]; ++x) f({x, y, z});
  }

  void add_steps(Uint count, std::vector<Step>& to) {
    while (count-- > 0) {
      if (pick(2) == 0) add_barrier(to);
      add_access(to);
    }
  }
  /// Two or three times the same.
  void add_loop(std::vector<Step>& to) {
    std::vector<Step> once;
    const Uint times = 2 + pick(2);
    body_ += fmt::format("  for (uint k = 0u; k < {}u; ++k) {{\n", times);
    add_steps(1 + pick(2), once);
    if (pick(2) == 0) add_barrier(once);
    body_ += "  }\n";
    for (Uint k = 0; k < times; ++k) to.insert(to.end(), once.begin(), once.end());
  }
  void add_barrier(std::vector<Step>& to) {
    // The condition always holds.
    body_ += pick(4) == 0 ? "  if (gl_NumWorkGroups.x > 0u) { barrier(); }\n" : "  barrier();\n";
    to.push_back({.barrier = true});
  }

  void add_access(std::vector<Step>& to) {
    const Place& place = resource_.places[pick(3)];
    const Index& x = pick_index();
    const Index& y = pick(4) != 0 ? indices[2 + pick(8) / 7] : pick_index();
    const bool atomic = atomics_ && pick(3) != 0;
    const Kind kind = atomic ? Kind::atomic : pick(3) == 0 ? Kind::read : Kind::write;
    const bool image = resource_.image;
    to.push_back({false, kind, image ? 0 : place.first, image ? 3 : place.last, &x, &y});
    const std::string at = image ? fmt::format("ivec2({}, {})", x.text, y.text) : x.text;
    body_ += "  " + statement(place, kind, at) + ";\n";
  }
  std::string statement(const Place& place, Kind kind, const std::string& at) const {
    if (resource_.image)
      return kind == Kind::read    ? fmt::format("sum += imageLoad(pixels, {}).x", at)
             : kind == Kind::write ? fmt::format("imageStore(pixels, {}, uvec4(1))", at)
                                   : fmt::format("imageAtomicAdd(pixels, {}, 1u)", at);
    const std::string there = fmt::format(fmt::runtime(place.text), at);
    return kind == Kind::read    ? "sum += " + fmt::format(fmt::runtime(place.sum), at)
           : kind == Kind::write ? fmt::format("{} = {}", there, place.one)
                                 : fmt::format("atomicAdd({}, 1u)", there);
  }

  /// Notes what the invocation accesses. Returns whether that races with what was accessed before.
  bool touch(Touched& touched, const Step& step, const Ids& ids) const {
    std::uint64_t element = step.x->of(ids);
    const Uint y = step.y->of(ids);
    const Uint bytes = !resource_.shared       ? 16 * elements
                       : resource_.stride == 4 ? 4 * elements
                                               : 16 * 64;
    if (resource_.image ? element >= columns || y >= columns
                        : element * resource_.stride + step.last >= bytes)
      return false;
    if (resource_.image) element += std::uint64_t{y} * columns;
    bool found = false;
    for (Uint k = step.first; k <= step.last; ++k) {
      auto& all = touched[element * resource_.stride + k];
      for (const Touch& other : all)
        found = found || ((other.group != ids.group || other.local != ids.local) &&
                          (other.kind != Kind::read || step.kind != Kind::read) &&
                          (other.kind != Kind::atomic || step.kind != Kind::atomic));
      all.push_back({ids.group, ids.local, step.kind});
    }
    return found;
  }

  std::mt19937 random_;
  const Resource& resource_;
  Three size_, groups_;
  bool atomics_ = false;
  std::vector<Step> steps_;
  std::string body_;
};

}  // namespace

TEST_CASE("races are found where invocations access each other's elements, and only there") {
  int with = 0, without = 0;
  for (Uint seed = 0; seed < 900; ++seed) {
    const Program program(seed);
    INFO(seed << ": " << program.source());
    const bool expected = program.has_race();
    ++(expected ? with : without);
    for (const int size : {1, 4, 32}) CHECK(program.is_found(size) == expected);
  }
  // Not all of one kind.
  CHECK(with > 250);
  CHECK(without > 250);
}

namespace {

/// Whether a run of one buffer's shader finds a race.
bool is_race_found(const std::string& source, std::uint32_t groups) {
  std::vector<Uint> numbers(64);
  auto shader = Shader::from_glsl("#version 460\n" + source, {}, "race_free.comp");
  const Checks races{Check::data_race, Check::lockstep_exchange};
  const auto run =
      shader.bind(0, numbers).dispatch({groups}, {.subgroup_size = 4, .checks = races});
  return run.findings.count() > 0;
}

}  // namespace

TEST_CASE("races are found where an index begins again at 0") {
  const std::string source = R"(layout(local_size_x = 1) in;
layout(binding = 0) buffer N { uint n[]; };
void main() { n[gl_WorkGroupID.x * 65536u] = 1u; }
)";
  CHECK(is_race_found(source, 65537));
  CHECK_FALSE(is_race_found(source, 65536));
}

TEST_CASE("races are found where a function returns before its barrier") {
  const auto source = [](const char* condition) {
    return std::string(R"(layout(local_size_x = 8) in;
layout(binding = 0) buffer N { uint n[]; };
shared uint s[9];
void exchange(bool early) {
  s[gl_LocalInvocationIndex] = 1u;
  if (early) return;
  barrier();
}
void main() {
  exchange()") +
           condition +
           R"();
  n[gl_GlobalInvocationID.x] = s[gl_LocalInvocationIndex + 1u];
}
)";
  };
  CHECK(is_race_found(source("gl_NumWorkGroups.x == 2u"), 2));
  CHECK(is_race_found(source("true"), 2));
  CHECK_FALSE(is_race_found(source("gl_NumWorkGroups.x == 1u"), 2));
}
