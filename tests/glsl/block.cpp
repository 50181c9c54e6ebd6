#include <lockstep/glsl/block.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/glsl/mat.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using std::uint32_t;

LOCKSTEP_STRUCT(Material, (vec2, uv), (float, gloss));
LOCKSTEP_STRUCT(Particle, (float, mass), (vec3, position), (uint, cells, 4), (Material, material),
                (mat3, frame), (vec3, trail, 2), (double, age), (ivec4, tag),
                (Material, layers, 2));

TEST_CASE("LOCKSTEP_STRUCT: members lie where std430 puts them") {
  CHECK(offsetof(Material, gloss) == 8);
  CHECK(sizeof(Material) == 16);
  CHECK(offsetof(Particle, position) == 16);
  CHECK(offsetof(Particle, cells) == 28);
  CHECK(offsetof(Particle, material) == 48);
  CHECK(offsetof(Particle, frame) == 64);
  CHECK(offsetof(Particle, trail) == 112);
  CHECK(offsetof(Particle, age) == 144);
  CHECK(offsetof(Particle, tag) == 160);
  CHECK(offsetof(Particle, layers) == 176);
  CHECK(sizeof(Particle) == 208);
  CHECK(alignof(Particle) == 16);
  const detail::BlockType<Particle> described;
  CHECK(described.layout == TypeLayout{16, 208});
  Particle a, b;
  CHECK(a == b);
  b.layers[1].uv[1] = 3;
  CHECK_FALSE(a == b);
}

constexpr int run_sizes[] = {1, 2, 3, 5, 8, 24, 32, 33, 64, 128};

/// Runs K at every size on the fast machine, and at one on the tangled machine: check(arrays, faults).
template <template <class> class K, class Make, class Check>
void run_everywhere(uint32_t groups, Make make, Check check) {
  for (const int size : run_sizes) {
    INFO("subgroup size " << size);
    auto arrays = make();
    const FaultLog faults = std::apply(
        [&](auto&... a) {
          return Device{.subgroup_size = size, .faults = Faults::counted}
              .dispatch<K, LOCKSTEP_TEST_WIDTHS>({groups}, a...);
        },
        arrays);
    check(arrays, faults);
  }
  for (const int size : {5, 24}) {
    INFO("tangled, subgroup size " << size);
    auto arrays = make();
    const FaultLog faults = std::apply(
        [&](auto&... a) {
          return Device{.subgroup_size = size, .faults = Faults::counted}.dispatch<K, 32>(
              Convergence{}, {groups}, a...);
        },
        arrays);
    check(arrays, faults);
  }
}

constexpr uint32_t group_size = 40;
constexpr uint32_t count = 3 * group_size - 7;  // the last lanes are beyond the arrays

template <class S>
struct Vectors : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{group_size};
  Buffer<const vec3> in;
  Buffer<vec3> out;
  Buffer<uvec2> pairs;
  Buffer<dvec4> wide;
  Buffer<vec2> narrow;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const vec3 p = in[i] * 2.0f;           // a row
    if (auto some = when(i % 3u != 1u)) {  // a row, masked
      out[i] = p + in[count - 1u - i];     // a gather
      if (auto odd = when(i % 2u == 1u)) out[i].y = 7.0f;
      out[i][2] += in[5].x;  // one element for all
    }
    pairs[i * 2u] = uvec2(i, in.length());  // every other
    pairs[i * 2u].x += 1u;
    pairs[i * 2u][i % 2u] *= 3u;  // each lane its own component
    atomicMax(pairs[1].y, i);
    wide[i] = dvec4(p, 1.5f);
    wide[i] -= dvec4(Double(1.0));
    narrow[i] = vec2(p.z, p.x);
  }
};

TEST_CASE("buffers of vectors: whole, by component, from everywhere") {
  using Vec3s = std::vector<std430::vec3>;
  const auto make = [] {
    std::tuple<Vec3s, Vec3s, std::vector<std::array<uint32_t, 2>>, std::vector<std430::dvec4>,
               std::vector<std430::vec2>>
        a;
    for (uint32_t i = 0; i < count; ++i) {
      std::get<0>(a).push_back({float(i), float(i) + 0.25f, float(i * i % 91)});
    }
    std::get<1>(a).assign(count, {-1, -2, -3});
    std::get<2>(a).assign(2 * count, {0, 0});
    std::get<3>(a).assign(count, {});
    std::get<4>(a).assign(count, {});
    return a;
  };
  run_everywhere<Vectors>(3, make, [](const auto& arrays, const FaultLog& faults) {
    const auto& [in, out, pairs, wide, narrow] = arrays;
    for (uint32_t i = 0; i < count; ++i) {
      CAPTURE(i);
      std430::vec3 want = {-1, -2, -3};
      if (i % 3 != 1) {
        for (int k = 0; k < 3; ++k) want[k] = in[i][k] * 2 + in[count - 1 - i][k];
        if (i % 2 == 1) want[1] = 7;
        want[2] += in[5][0];
      }
      CHECK(out[i] == want);
      uint32_t x = i + 1, y = count;
      (i % 2 == 0 ? x : y) *= 3;
      CHECK(pairs[i * 2] == std::array<uint32_t, 2>{x, y});
      CHECK(wide[i] ==
            std430::dvec4{in[i][0] * 2.0 - 1, in[i][1] * 2.0 - 1, in[i][2] * 2.0 - 1, 0.5});
    }
    for (uint32_t i = 0; i < count; ++i)
      CHECK(narrow[i] == std430::vec2{in[i][2] * 2, in[i][0] * 2});
    CHECK(pairs[1] == std::array<uint32_t, 2>{0, 3 * group_size - 1});
    // Seven lanes are beyond the arrays; each active one among them makes this many accesses there.
    uint64_t want_faults = 0;
    for (uint32_t i = count; i < 3 * group_size; ++i) {
      want_faults += 1 + 1 + 2 + 2 + 1 + 2 + 1;        // p; pairs; +=; *=; wide; -=; narrow
      if (i % 3 != 1) want_faults += 1 + 1 + 2;        // out; in, from the other end; +=
      if (i % 3 != 1 && i % 2 == 1) want_faults += 1;  // y
    }
    CHECK(faults.count() == want_faults);
  });
}

template <class S>
struct Particles : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{group_size};
  Buffer<const Particle> in;
  Buffer<Particle> out;
  Buffer<mat2> turns;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    if (auto some = when(i < in.length())) {
      out[i] = in[i];
      if (auto most = when(i % 5u != 0u)) change(i);
      if (auto few = when(i % 7u == 3u)) {
        out[i] = copy_of(in[i - 3u]);
        out[i].material = in[0].material;
      }
      turns[0u][1].x = 4.0f;
    }
  }
  void change(const Uint& i) {
    const auto p = copy_of(in[i]);
    out[i].position = p.position + vec3(p.mass, in[i].mass, Float(subgroupAdd(in[i].mass)) * 0.0f);
    out[i].position.z -= 1.0f;
    out[i].cells[i % 4u] = i;
    out[i].cells[1] += p.cells[3];
    atomicAdd(out[i].cells[2], 10u);
    atomicMin(out[i].position.x, 30.0f);
    atomicExchange(out[i].trail[1].y, Float(i));
    out[i].material.uv = vec2(in[i].material.uv.y, in[i].material.uv.x);
    out[i].frame = transpose(p.frame);
    out[i].frame[2] = p.position;
    out[i].frame[i % 2u].y = 0.5f;
    out[i].frame[0][2] = 0.25f;
    out[i].trail[0] = out[i].trail[1];
    out[i].age *= 2.0;
    out[i].tag = ivec4(-1) - p.tag;
    out[i].layers[i % 2u].gloss = 3.0f;
    out[i].layers[1].uv.y = p.layers[0].uv.x;
    auto kept = var(out[i].material.uv);
    kept += vec2(1.0f);
    out[i].material.uv = kept;
    turns[i] = mat2(0.0f, 1.0f, -1.0f, 0.0f) * mat2(turns[i]);
  }
};

Particle particle(uint32_t i) {
  const auto f = static_cast<float>(i);
  Particle p;
  p.mass = f + 0.5f;
  p.position = {f, f * 2, f * 3};
  p.cells = {i * 2, i * 3, i * 5, i * 7};
  p.material.uv = {f / 2, f / 4};
  p.material.gloss = f / 8;
  for (int c = 0; c < 3; ++c) p.frame[c] = {f + float(c), f - float(c), f * float(c)};
  p.trail = {std430::vec3{f, 1, 2}, std430::vec3{3, f, 4}};
  p.age = i * 1.25;
  p.tag = {int(i), int(2 * i), -int(i), 4};
  p.layers[0].uv = {f, f + 1};
  p.layers[1].uv = {f + 2, f + 3};
  return p;
}

Particle changed(Particle p, uint32_t i) {
  const Particle before = p;
  p.position = {p.position[0] + p.mass, p.position[1] + p.mass, p.position[2] - 1};
  p.cells[i % 4] = i;
  p.cells[1] += before.cells[3];
  p.cells[2] += 10;
  if (p.position[0] > 30) p.position[0] = 30;
  p.trail[1][1] = static_cast<float>(i);
  p.material.uv = {before.material.uv[1] + 1, before.material.uv[0] + 1};
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) p.frame[c][r] = before.frame[r][c];
  }
  for (int r = 0; r < 3; ++r) p.frame[2][r] = before.position[static_cast<std::size_t>(r)];
  p.frame[static_cast<int>(i % 2)][1] = 0.5f;
  p.frame[0][2] = 0.25f;
  p.trail[0] = p.trail[1];
  p.age *= 2;
  for (std::size_t k = 0; k < 4; ++k) p.tag[k] = -1 - p.tag[k];
  p.layers[i % 2].gloss = 3;
  p.layers[1].uv[1] = before.layers[0].uv[0];
  return p;
}

TEST_CASE("buffers of structs: members, components, arrays, matrices, copies") {
  const auto make = [] {
    std::tuple<std::vector<Particle>, std::vector<Particle>, std::vector<std430::mat2>> a;
    for (uint32_t i = 0; i < count; ++i) std::get<0>(a).push_back(particle(i));
    std::get<1>(a).resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      const auto f = static_cast<float>(i);
      std::get<2>(a).push_back({std430::vec2{f, 1}, std430::vec2{2, f + 3}});
    }
    return a;
  };
  run_everywhere<Particles>(3, make, [](const auto& arrays, const FaultLog& faults) {
    CHECK(faults.count() == 0);
    const auto& [in, out, turns] = arrays;
    for (uint32_t i = 0; i < count; ++i) {
      CAPTURE(i);
      Particle want = i % 5 != 0 ? changed(in[i], i) : in[i];
      if (i % 7 == 3) {
        want = in[i - 3];
        want.material = in[0].material;
      }
      CHECK(out[i] == want);
      const auto f = static_cast<float>(i);
      std430::mat2 turn = {std430::vec2{f, 1}, std430::vec2{2, f + 3}};
      if (i % 5 != 0) turn = {std430::vec2{-1, f}, std430::vec2{-f - 3, 2}};
      if (i == 0) turn[1][0] = 4;
      CHECK(turns[i] == turn);
    }
  });
}

template <class S>
struct SharedVectors : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{group_size};
  Buffer<vec4> out;
  Shared<vec3, group_size> positions{this};
  Shared<Material, 3> materials{this};

  lockstep::Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    positions[i] = vec3(Float(i), 1.0f, 2.0f);
    if (auto one = when(i == 39u)) materials[2].uv = vec2(8.0f, 9.0f);
    co_await this->barrier();
    atomicAdd(materials[1].gloss, 1.0f);
    co_await this->barrier();
    write(i);
  }
  void write(const Uint& i) {
    out[gl_GlobalInvocationID.x] =
        vec4(vec3(positions[39u - i]), materials[1].gloss) + vec4(vec2(materials[2].uv), 0, 0);
    if (auto one = when(i == 0u)) positions[group_size] = vec3(1.0f);
  }
};

TEST_CASE("shared arrays of vectors and structs") {
  const auto make = [] { return std::tuple{std::vector<std::array<float, 4>>(2 * group_size)}; };
  run_everywhere<SharedVectors>(2, make, [](const auto& arrays, const FaultLog& faults) {
    const auto& out = std::get<0>(arrays);
    for (uint32_t i = 0; i < out.size(); ++i) {
      // A kernel with barriers is constructed once per thread, and its shared arrays with it.
      const float from = static_cast<float>(39 - i % group_size);
      CHECK(out[i][0] == from + 8);
      CHECK(out[i][1] == 10);
      CHECK(out[i][2] == 2);
      CHECK(out[i][3] >= group_size);
    }
    CHECK(faults.count() == 2);
    CHECK(faults.first().access.object.kind == MemoryObject::Kind::shared);
    CHECK(faults.first().access.index == group_size);
    CHECK(faults.first().access.size == group_size);
  });
}

template <class S>
struct Inside : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<Particle> particles;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    particles[i].position = vec3(Float(i));
    const Float mass = particles[0].mass;
    particles[1].cells[i] = 5u;
    atomicAdd(particles[i].cells[4], 1u);
    particles[i].frame = mat3(mass);
  }
};

struct Log : Observer {
  std::vector<Event> events;
  void on(const Event& event) override {
    using Kind = Event::Kind;
    if (event.kind == Kind::read || event.kind == Kind::write || event.kind == Kind::atomic)
      events.push_back(event);
  }
};

TEST_CASE("accesses inside of elements: faults and events") {
  std::vector<Particle> fast(9), traced(9);
  const Device device{.subgroup_size = 8, .threads = 1, .faults = Faults::counted};
  Log log;
  const FaultLog want = device.dispatch<Inside, 8>({1}, fast);
  const FaultLog got = device.dispatch<Inside, 8>(Convergence{.observer = &log}, {1}, traced);
  CHECK(fast == traced);
  for (const std::size_t k : {0u, 1u, 2u, 3u}) CHECK(fast[1].cells[k] == 5);
  CHECK(fast[7].position[2] == 7);
  for (const FaultLog& faults : {want, got}) {
    CHECK(faults.count() == 4 + 8);  // cells[4] to [7] by four lanes, cells[4] by eight
    const Finding& first = faults.first();
    CHECK(first.access.kind == AccessKind::write);
    CHECK(first.access.object.binding == 0);
    CHECK(first.access.unit == LaneAccess::Unit::inner_element);
    CHECK(first.access.index == 4);
    CHECK(first.access.size == 4);
    CHECK(first.lanes == (LaneSet::first_n(8).without(LaneSet::first_n(4))));
  }
  REQUIRE(log.events.size() == 7);
  // Where lane 3's numbers start in the particles.
  const auto byte = [&](std::size_t event, std::size_t part) {
    return 3 * sizeof(Particle) + part == log.events[event].access.byte[3];
  };
  CHECK(log.events[0].kind == Event::Kind::write);
  CHECK(byte(0, offsetof(Particle, position)));
  CHECK(log.events[0].access.bytes == 4);
  CHECK(log.events[0].access.count == 3);
  CHECK(log.events[0].access.step == 4);
  CHECK(to_string(log.events[0].operands.at(0), 3) == "(3, 3, 3)");
  CHECK(log.events[1].kind == Event::Kind::read);
  CHECK(to_string(log.events[1].result, 0) == "0");
  CHECK(log.events[1].access.byte == std::vector<std::uint64_t>(8, offsetof(Particle, mass)));
  CHECK(log.events[2].kind == Event::Kind::write);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(log.events[2].access.byte[i] ==
          (i < 4 ? sizeof(Particle) + offsetof(Particle, cells) + 4 * i : Access::outside));
  CHECK(log.events[3].name == "atomicAdd");
  CHECK(log.events[3].access.byte == std::vector<std::uint64_t>(8, Access::outside));
  // A matrix is told column by column.
  for (std::size_t column = 0; column < 3; ++column) {
    const Event& event = log.events[4 + column];
    CHECK(event.operands.at(0).components == 3);
    CHECK(byte(4 + column, offsetof(Particle, frame) + 16 * column));
    CHECK(event.where.line > log.events[3].where.line);
  }
}

}  // namespace
