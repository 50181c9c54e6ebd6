#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using test::sizes;
using Uint = std::uint32_t;

namespace {

/// A value at a byte of a buffer.
template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
template <class T>
void put(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

TEST_CASE("blocks have the memory layout that they declare") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
struct Item { uint64_t big; vec2 pair; uint last; };
layout(std430, set = 0, binding = 0) buffer In {
  float a;
  layout(row_major) mat3x2 m;
  vec3 v;
  Item items[];
};
layout(std140, set = 0, binding = 1) uniform Params { float w[3]; mat2 n; };
layout(std430, set = 1, binding = 0) buffer Out { float o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float r = a + m[i % 3u][1] * 10.0 + (m * v).x + n[1][0];
  items[i].pair.y = r + w[i % 3u];
  items[i].last = uint(items.length()) + uint(items[i].big >> 33u);
  o[i] = r;
})");
  // a at 0, the two rows of m at 16 and 32, v at 48, items of 24 bytes from 64 on.
  std::vector<std::byte> in(64 + 24 * 9), params(48 + 32);
  put(in, 0, 0.5f);
  const float rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, v[3] = {0.25f, 2, 8};
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t c = 0; c < 3; ++c) put(in, 16 + 16 * r + 4 * c, rows[r][c]);
  for (std::size_t c = 0; c < 3; ++c) put(in, 48 + 4 * c, v[c]);
  for (std::size_t i = 0; i < 9; ++i) put(in, 64 + 24 * i, std::uint64_t{i + 3} << 33);
  for (std::size_t k = 0; k < 3; ++k) put(params, 16 * k, static_cast<float>(k) * 100);
  const float n[2][2] = {{7, 8}, {9, 10}};
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t r = 0; r < 2; ++r) put(params, 48 + 16 * c + 4 * r, n[c][r]);
  for (const int size : sizes) {
    std::vector<float> out(8);
    const auto run =
        shader.bind(0, in).bind(1, params).bind(1, 0, out).dispatch({1}, {.subgroup_size = size});
    CHECK(run.faults == 0);
    for (std::size_t i = 0; i < 8; ++i) {
      const float dot = rows[0][0] * v[0] + rows[0][1] * v[1] + rows[0][2] * v[2];
      const float r = 0.5f + rows[1][i % 3] * 10 + dot + n[1][0];
      REQUIRE(out[i] == r);
      REQUIRE(at<float>(in, 64 + 24 * i + 12) == r + static_cast<float>(i % 3) * 100);
      REQUIRE(at<Uint>(in, 64 + 24 * i + 16) == 9 + i + 3);
    }
  }
}

TEST_CASE("lengths of runtime arrays after other members") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) readonly buffer A { uint before[5]; uint rest[]; } a;
layout(std430, set = 0, binding = 1) readonly buffer B { uint before; vec4 rest[]; } b;
layout(std430, set = 0, binding = 2) readonly buffer C { uint before[7]; uint rest[][3]; } c;
layout(std430, set = 0, binding = 3) buffer Out { uint o[]; };
void main() { o[0] = a.rest.length(); o[1] = b.rest.length(); o[2] = c.rest.length(); })");
  for (std::size_t words = 1; words < 40; ++words) {
    const std::vector<Uint> in(words);
    std::vector<Uint> out(3);
    shader.bind(0, in).bind(1, in).bind(2, in).bind(3, out).dispatch({1});
    const auto elements = [&](std::size_t before, std::size_t each) {
      return static_cast<Uint>(words < before ? 0 : (words - before) / each);
    };
    CAPTURE(words);
    CHECK(out == std::vector<Uint>{elements(5, 1), elements(4, 4), elements(7, 3)});
  }
}

TEST_CASE("variables are indexed at run time") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 40) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
struct Pair { uint number; bool flag; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint a[7];
  Pair p[3];
  for (uint k = 0u; k < 7u; ++k) a[k] = k * i;
  for (uint k = 0u; k < 3u; ++k) p[k] = Pair(k + i, ((i >> k) & 1u) != 0u);
  a[i % 7u] += 1000u;
  mat3 m = mat3(1.0);
  m[i % 3u][(i / 3u) % 3u] = 5.0;
  vec4 v = vec4(1.0, 2.0, 3.0, 4.0);
  v[i & 3u] = 50.0;
  const uint table[4] = uint[](3u, 1u, 4u, 1u);
  o[i] = a[(i * 3u) % 7u] + (p[i % 3u].flag ? p[(i + 1u) % 3u].number : 0u) * 10000u
         + uint(m[2][1] + v.z) * 1000000u + table[i & 3u] * 100000000u;
})");
  for (const int size : sizes) {
    std::vector<Uint> out(40);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
    for (Uint i = 0; i < 40; ++i) {
      Uint a[7];
      for (Uint k = 0; k < 7; ++k) a[k] = k * i;
      a[i % 7] += 1000;
      const Uint pair = ((i >> (i % 3)) & 1) != 0 ? (i + 1) % 3 + i : 0;
      const Uint m21 = i % 3 == 2 && i / 3 % 3 == 1 ? 5 : 0;
      const Uint vz = (i & 3) == 2 ? 50 : 3;
      const Uint table[] = {3, 1, 4, 1};
      REQUIRE(out[i] ==
              a[i * 3 % 7] + pair * 10000 + (m21 + vz) * 1000000 + table[i & 3] * 100000000);
    }
  }
}

TEST_CASE("shared memory and barriers") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 96) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint parts[96];
shared uint total;
void main() {
  uint i = gl_LocalInvocationIndex;
  parts[i] = i * i + gl_WorkGroupID.x;
  if (i == 0u) total = 0u;
  for (uint step_ = 1u; step_ < 96u; step_ *= 2u) {
    barrier();
    uint more = i >= step_ ? parts[i - step_] : 0u;
    barrier();
    parts[i] += more;
  }
  barrier();
  atomicMax(total, parts[i]);
  barrier();
  o[gl_GlobalInvocationID.x] = parts[i] + total;
})");
  for (const int size : sizes) {
    std::vector<Uint> out(96 * 3);
    shader.bind(0, out).dispatch({3}, {.subgroup_size = size});
    for (Uint g = 0; g < 3; ++g) {
      Uint all = 0, sum = 0;
      for (Uint i = 0; i < 96; ++i) all += i * i + g;
      for (Uint i = 0; i < 96; ++i) {
        sum += i * i + g;
        REQUIRE(out[g * 96 + i] == sum + all);
      }
    }
  }
}

TEST_CASE("atomics of each type") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer A {
  uint sum; int low; uint high; uint bits; uint flips; uint masked; uint last;
  uint64_t wide; float real; uint swaps;
};
layout(std430, set = 0, binding = 1) buffer Old { uint old[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  old[i] = atomicAdd(sum, 1u);
  atomicMin(low, int(i) - 100);
  atomicMax(high, i * 3u);
  atomicOr(bits, 1u << (i % 32u));
  atomicXor(flips, i);
  atomicAnd(masked, ~(i << 8u));
  atomicAdd(wide, uint64_t(i) << 32u);
  atomicAdd(real, 0.5);
  atomicExchange(last, 7u);
  if (atomicCompSwap(swaps, i, i + 1u) == i) old[i] += 1000u;
})");
  for (const int size : {8, 24, 64, 128}) {
    for (const int threads : {0, 1}) {
      std::vector<Uint> a(14), old(640);
      a[5] = ~0u;
      shader.bind(0, a).bind(1, old).dispatch({10}, {.subgroup_size = size, .threads = threads});
      CHECK(a[0] == 640);
      CHECK(static_cast<int>(a[1]) == -100);
      CHECK(a[2] == 639 * 3);
      CHECK(a[3] == ~0u);
      Uint flips = 0, masked = ~0u;
      for (Uint i = 0; i < 640; ++i) {
        flips ^= i;
        masked &= ~(i << 8);
      }
      CHECK(a[4] == flips);
      CHECK(a[5] == masked);
      CHECK(a[6] == 7);
      CHECK((std::uint64_t{a[9]} << 32 | a[8]) == std::uint64_t{640 * 639 / 2} << 32);
      CHECK(std::bit_cast<float>(a[10]) == 320.0f);
      // Each number went to one invocation.
      std::vector<bool> seen(640);
      for (const Uint o : old) seen[o % 1000] = true;
      CHECK(std::count(seen.begin(), seen.end(), true) == 640);
      if (threads == 1) CHECK(a[11] == 640);
    }
  }
}

TEST_CASE("arrays of buffers, and buffers by address") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { uint value; Node next; };
layout(set = 2, binding = 3) buffer Many { uint v[]; } many[3];
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(push_constant) uniform Push { Node head; };
void main() {
  uint i = gl_LocalInvocationIndex;
  Node n = head;
  for (uint k = 0u; k < i % 3u; ++k) n = n.next;
  uint w = many[nonuniformEXT(i % 3u)].v[i] + many[1].v[0];
  many[nonuniformEXT(i % 3u)].v[i] = w * 2u;
  atomicAdd(n.value, 100u);
  o[i] = w + n.value % 100u * 1000u;
})");
  struct Node {
    Uint value, padding;
    std::uint64_t next;
  };
  for (const int size : {4, 24, 32, 64}) {
    std::vector<Node> nodes[3] = {{{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}};
    std::vector<Uint> many[3], out(32);
    for (Uint k = 0; k < 3; ++k) {
      many[k].resize(32);
      for (Uint i = 0; i < 32; ++i) many[k][i] = k * 100 + i;
      shader.bind_bytes(2, 3, k, std::as_writable_bytes(std::span(many[k])));
    }
    for (std::size_t k = 3; k-- > 0;)
      nodes[k][0].next = k < 2 ? shader.address_of(nodes[k + 1]) : 0;
    shader.push(shader.address_of(nodes[0])).bind(0, out);
    const auto run = shader.dispatch({1}, {.subgroup_size = size, .threads = 1});
    CHECK(run.faults == 0);
    for (Uint i = 0; i < 32; ++i) {
      // many[1].v[0] is never written: i % 3 == 1 and i == 0 exclude each other.
      REQUIRE(out[i] == i % 3 * 100 + i + 100 + (i % 3 + 1) * 1000);
      REQUIRE(many[i % 3][i] == (i % 3 * 100 + i + 100) * 2);
    }
    CHECK(nodes[0][0].value == 1 + 1100);
    CHECK(nodes[2][0].value == 3 + 1000);
  }
}

TEST_CASE("runtime arrays of buffers have as many elements as are bound") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 20) in;
layout(set = 0, binding = 0) buffer Many { uint v[]; } many[];
layout(set = 1, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = many[nonuniformEXT(i % 5u)].v[i / 5u] + many[nonuniformEXT(i % 2u)].v.length() * 100u;
})");
  CHECK(shader.interface().buffers[0].at_most);
  for (const int size : sizes) {
    std::vector<Uint> many[4], out(20, 1);
    for (Uint k = 0; k < 4; ++k) {
      for (Uint i = 0; i < 4 + k; ++i) many[k].push_back(k * 10 + i);
      shader.bind_bytes(0, 0, k, std::as_writable_bytes(std::span(many[k])));
    }
    const auto run = shader.bind(1, 0, out).dispatch({1}, {.subgroup_size = size});
    INFO("subgroup size " << size);
    CHECK(run.faults == 4);  // the fifth buffer is not there
    for (Uint i = 0; i < 20; ++i)
      REQUIRE(out[i] == (i % 5 < 4 ? i % 5 * 10 + i / 5 : 0) + (4 + i % 2) * 100);
  }
}

TEST_CASE("an index past the end of an array of buffers is a fault") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Many { uint v[]; } many[2];
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  many[nonuniformEXT(i)].v[0] += 1u;
  o[i] = many[nonuniformEXT(i)].v[0];
})");
  std::vector<Uint> first{5}, second{6}, out(8, 1);
  shader.bind_bytes(0, 0, 0, std::as_writable_bytes(std::span(first)));
  CHECK_THROWS_WITH(shader.bind(1, out).dispatch({1}),
                    Catch::Contains("nothing is bound to set 0, binding 0"));
  shader.bind_bytes(0, 0, 1, std::as_writable_bytes(std::span(second)));
  const auto run = shader.dispatch({1}, {.subgroup_size = 8});
  CHECK(run.faults == 6 * 3);
  CHECK(first[0] == 6);
  CHECK(second[0] == 7);
  for (Uint i = 0; i < 8; ++i) REQUIRE(out[i] == (i < 2 ? 6 + i : 0));
}

TEST_CASE("sizes of deeply nested types are computed once per type") {
  // Each structure contains the one before twice.
  std::string types = "struct S0 { uint a; };\n";
  for (int k = 1; k <= 14; ++k)
    types += "struct S" + std::to_string(k) + " { S" + std::to_string(k - 1) + " x; S" +
             std::to_string(k - 1) + " y; };\n";
  auto shader = Shader::from_glsl("#version 460\nlayout(local_size_x = 4) in;\n" + types + R"(
layout(set = 0, binding = 0) buffer B { S14 deep; uint last; };
void main() { if (gl_LocalInvocationIndex == 0u) last = 7u; })");
  std::vector<Uint> data((1u << 14) + 1);
  CHECK(shader.bind(0, data).dispatch({1}).faults == 0);
  CHECK(data.back() == 7);
}

TEST_CASE("private arrays may have more components than a value") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 40) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
struct Pair { uint a; float b; };
uint big[100000];
Pair pairs[60000];
void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = 0u; k < 5u; ++k) {
    big[(i * 7919u + k * 25013u) % 100000u] = i + k;
    pairs[59999u - i - k].b = float(i * k);
  }
  big[99999] = big[(i * 7919u + 3u * 25013u) % 100000u];
  o[i] = big[99999] * 1000u + big[(i * 7919u + 25013u) % 100000u] + uint(pairs[59997u - i].b);
})");
  for (const int size : test::few_sizes) {
    std::vector<Uint> out(40);
    CHECK(shader.bind(0, out).dispatch({1}, {.subgroup_size = size, .threads = 1}).faults == 0);
    INFO("subgroup size " << size);
    for (Uint i = 0; i < 40; ++i) REQUIRE(out[i] == (i + 3) * 1000 + i + 1 + i * 2);
  }
}
