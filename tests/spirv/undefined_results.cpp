// g++ 12 warns about its own AVX-512 intrinsics, which start from a deliberately undefined
// register.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Indices beyond the subgroup: both front ends give the value of the same lane, and so does a plain loop.

using namespace lockstep;

namespace {

using Word = std::uint32_t;
constexpr Word local_count = 128;
constexpr std::size_t operations = 11;
constexpr std::size_t words = operations * local_count;

constexpr Word value_of(Word i) { return i * 2654435761u + 7; }

const std::string shader_source = R"(#version 460
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_ARB_shader_ballot : enable
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Ids { uint ids[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint v = i * 2654435761u + 7u;
  uint id = ids[0];
  uint each = id + i;
  uvec4 odd = uvec4(0xaaaaaaaau);
  o[i] = subgroupShuffle(v, id);
  o[i + 128u] = subgroupShuffle(v, each);
  o[i + 256u] = subgroupShuffleXor(v, id);
  o[i + 384u] = subgroupShuffleXor(v, each);
  o[i + 512u] = subgroupShuffleUp(v, id);
  o[i + 640u] = subgroupShuffleUp(v, each);
  o[i + 768u] = subgroupShuffleDown(v, id);
  o[i + 896u] = subgroupShuffleDown(v, each);
  o[i + 1024u] = subgroupBroadcast(v, id);
  o[i + 1152u] = subgroupQuadBroadcast(v, id);
  o[i + 1280u] = subgroupBallotBitExtract(odd, id) ? 1u : 0u;
})";

template <class S>
struct Moves : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{local_count};
  Buffer<const uint> ids;
  Buffer<uint> o;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    const Uint v = i * 2654435761u + 7u;
    const Uint id = ids[Uint(0u)];
    const Uint each = id + i;
    const Ballot odd{0xaaaaaaaau, 0xaaaaaaaau, 0xaaaaaaaau, 0xaaaaaaaau};
    o[i] = subgroupShuffle(v, id);
    o[i + 128u] = subgroupShuffle(v, each);
    o[i + 256u] = subgroupShuffleXor(v, id);
    o[i + 384u] = subgroupShuffleXor(v, each);
    o[i + 512u] = subgroupShuffleUp(v, id);
    o[i + 640u] = subgroupShuffleUp(v, each);
    o[i + 768u] = subgroupShuffleDown(v, id);
    o[i + 896u] = subgroupShuffleDown(v, each);
    o[i + 1024u] = subgroupBroadcast(v, id);
    o[i + 1152u] = subgroupQuadBroadcast(v, id);
    o[i + 1280u] = select(subgroupBallotBitExtract(odd, id), Uint(1u), Uint(0u));
  }
};

/// What an operation gives invocation i, one of a whole subgroup.
Word expected(std::size_t operation, Word i, Word size, Word id) {
  const Word lane = i % size, first = i - lane, each = id + i;
  // Modulo the size; at other sizes than powers of two modulo the next one, less the size if need be.
  const auto from = [&](Word source) {
    Word power = 1;
    while (power < size) power *= 2;
    const Word wrapped = source % power;
    return value_of(first + (wrapped < size ? wrapped : wrapped - size));
  };
  switch (operation) {
    case 0:
      return from(id);
    case 1:
      return from(each);
    case 2:
      return from(lane ^ id);
    case 3:
      return from(lane ^ each);
    case 4:
      return from(lane - id);
    case 5:
      return from(lane - each);
    case 6:
      return from(lane + id);
    case 7:
      return from(lane + each);
    case 8:
      return from(id);
    case 9:
      return value_of(first + (lane & ~3u) + id % 4);
    default:
      return id < 128 ? id % 2 : 0;
  }
}

}  // namespace

TEST_CASE("out-of-range indices of shuffles read the same lane in both front ends") {
  auto shader = Shader::from_glsl(shader_source);
  for (const Word size : {1u, 4u, 8u, 12u, 24u, 32u, 64u, 100u, 128u}) {
    for (const Word id :
         {0u,  1u,  3u,  4u,   7u,   8u,   20u,   size - 1,    size,        size + 1,    31u,
          32u, 33u, 64u, 127u, 128u, 129u, 1000u, 0x7fffffffu, 0x80000000u, 0xfffffff0u, ~0u}) {
      const std::vector<Word> ids{id};
      std::vector<Word> kernel(words), program(words), tangled(words);
      Device{.subgroup_size = static_cast<int>(size), .threads = 1}.dispatch<Moves, 32, 128>(
          {1}, ids, kernel);
      DispatchSettings settings{.subgroup_size = static_cast<int>(size), .threads = 1};
      shader.bind(0, ids).bind(1, program).dispatch({1}, settings);
      const Convergence maximal;
      settings.convergence = &maximal;
      shader.bind(1, tangled).dispatch({1}, settings);
      // The last subgroup may be there in part.
      const Word whole = local_count / size * size;
      for (std::size_t k = 0; k < operations; ++k) {
        // A quad needs all its members.
        if (k == 9 && size % 4 != 0) continue;
        for (Word i = 0; i < whole; ++i) {
          const std::size_t at = k * local_count + i;
          const Word want = expected(k, i, size, id);
          if (kernel[at] == want && program[at] == want && tangled[at] == want) continue;
          CAPTURE(size, id, k, i);
          CHECK(kernel[at] == want);
          CHECK(program[at] == want);
          CHECK(tangled[at] == want);
          return;
        }
      }
    }
  }
}
