#include "shader/run/ops/texel_chunk.hpp"

#include <cstring>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::spirv;

namespace {

/// Numbers of texels, by how they may lie: side by side, in steps, mirrored, in two rows, anywhere.
std::vector<std::uint32_t> numbers_of(int kind, std::uint32_t count, std::mt19937& random) {
  std::vector<std::uint32_t> numbers;
  const std::uint32_t first = static_cast<std::uint32_t>(random()) % count;
  for (std::uint32_t lane = 0; lane < chunk_lanes; ++lane) {
    const std::uint32_t place[] = {first + lane,
                                   first + 2 * lane,
                                   first + 9 * lane,
                                   first + count - lane,
                                   first + count - 2 * lane,
                                   first + lane % 8 + lane / 8 * 21,
                                   first,
                                   static_cast<std::uint32_t>(random())};
    numbers.push_back(place[kind] % count);
  }
  return numbers;
}

}  // namespace

TEST_CASE("the texels of a chunk are what each of them is alone, wherever they lie") {
  std::mt19937 random(3);
  for (const ImageFormat format : {ImageFormat::r8ui, ImageFormat::r16ui, ImageFormat::rg8ui,
                                   ImageFormat::rgba8, ImageFormat::r32f, ImageFormat::rg32ui}) {
    CAPTURE(to_string(format));
    const std::uint32_t texel = texel_bytes(format);
    for (const std::uint32_t count : {4u, 31u, 32u, 33u, 64u, 129u, 1000u}) {
      CAPTURE(count);
      // As many bytes as the texels have, so that memory checkers see what is read beyond them.
      std::vector<std::byte> bytes(std::size_t{count} * texel);
      for (std::byte& byte : bytes) byte = std::byte(random());
      Memory memory{};
      memory.data = bytes.data();
      memory.size = bytes.size();
      memory.format = format;
      const texels::Texels from(memory);
      if (!from.can_be_accessed()) continue;
      std::size_t wrong = 0;
      for (int trial = 0; trial < 200; ++trial) {
        const auto numbers = numbers_of(trial % 8, count, random);
        const auto active = Mask<chunk_lanes>::from_bits(trial < 16 ? 0xffffu : random() & 0xffffu);
        // What other lanes have may be anything.
        alignas(64) std::uint32_t given[chunk_lanes];
        for (int lane = 0; lane < chunk_lanes; ++lane)
          given[lane] = active.test(lane) ? numbers[static_cast<std::size_t>(lane)]
                                          : static_cast<std::uint32_t>(random());
        texels::Components words, result;
        texels::fetch(from, texels::Uints::load(given), active, words);
        for (std::uint32_t k = 0; k < from.info.components; ++k)
          texels::decoded(from.info, words, k).store(result.of[k]);
        for (int lane = 0; lane < chunk_lanes; ++lane) {
          if (!active.test(lane)) continue;
          const TexelBits expected =
              decode_texel(format, bytes.data() + std::size_t{given[lane]} * texel);
          for (std::uint32_t k = 0; k < from.info.components; ++k)
            wrong += result.of[k][lane] != expected[k] ? 1 : 0;
        }
      }
      CHECK(wrong == 0);
    }
  }
}
