#include "runtime/exec/hlsl_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 6> hlsl_endings{".hlsl", ".hlsli", ".fx",
                                                       ".fxh",  ".usf",   ".ush"};

constexpr std::pair<std::string_view, std::string_view> hlsl_names[] = {
    {"barrier()", "GroupMemoryBarrierWithGroupSync()"},
    {"gl_LocalInvocationIndex", "SV_GroupIndex"},
    {"gl_SubgroupInvocationID", "WaveGetLaneIndex()"},
    {"gl_SubgroupSize", "WaveGetLaneCount()"},
    {"subgroupAdd", "WaveActiveSum"},
    {"subgroupAll", "WaveActiveAllTrue"},
    {"subgroupAllEqual", "WaveActiveAllEqual"},
    {"subgroupAnd", "WaveActiveBitAnd"},
    {"subgroupAny", "WaveActiveAnyTrue"},
    {"subgroupBallot", "WaveActiveBallot"},
    {"subgroupBallotBitCount", "WaveActiveCountBits"},
    {"subgroupBallotBitCount(subgroupBallot(true))", "WaveActiveCountBits(true)"},
    {"subgroupBallotExclusiveBitCount", "WavePrefixCountBits"},
    {"subgroupBroadcast", "WaveReadLaneAt"},
    {"subgroupBroadcastFirst", "WaveReadLaneFirst"},
    {"subgroupElect()", "WaveIsFirstLane()"},
    {"subgroupExclusiveAdd", "WavePrefixSum"},
    {"subgroupExclusiveMul", "WavePrefixProduct"},
    {"subgroupMax", "WaveActiveMax"},
    {"subgroupMin", "WaveActiveMin"},
    {"subgroupMul", "WaveActiveProduct"},
    {"subgroupOr", "WaveActiveBitOr"},
    {"subgroupPartitionNV", "WaveMatch"},
    {"subgroupPartitionedExclusiveAddNV", "WaveMultiPrefixSum"},
    {"subgroupPartitionedExclusiveAndNV", "WaveMultiPrefixBitAnd"},
    {"subgroupPartitionedExclusiveMulNV", "WaveMultiPrefixProduct"},
    {"subgroupPartitionedExclusiveOrNV", "WaveMultiPrefixBitOr"},
    {"subgroupPartitionedExclusiveXorNV", "WaveMultiPrefixBitXor"},
    {"subgroupQuadAll", "QuadAll"},
    {"subgroupQuadAny", "QuadAny"},
    {"subgroupQuadBroadcast", "QuadReadLaneAt"},
    {"subgroupQuadSwapDiagonal", "QuadReadAcrossDiagonal"},
    {"subgroupQuadSwapHorizontal", "QuadReadAcrossX"},
    {"subgroupQuadSwapVertical", "QuadReadAcrossY"},
    {"subgroupShuffle", "WaveReadLaneAt"},
    {"subgroupXor", "WaveActiveBitXor"},
};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `name` starts at that place and ends there as a word.
bool stands_at(std::string_view text, std::size_t at, std::string_view name) {
  if (text.substr(at, name.size()) != name) return false;
  const std::size_t end = at + name.size();
  return end == text.size() || !is_of_word(name.back()) || !is_of_word(text[end]);
}

}  // namespace

bool is_hlsl_file(std::string_view file) {
  return std::ranges::any_of(hlsl_endings, [&](std::string_view e) { return file.ends_with(e); });
}

std::string in_words_of_hlsl(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::pair<std::string_view, std::string_view>* longest = nullptr;
    const bool starts = at == 0 || !is_of_word(text[at - 1]);
    for (const auto& name : hlsl_names) {
      if (starts && stands_at(text, at, name.first) &&
          (longest == nullptr || name.first.size() > longest->first.size()))
        longest = &name;
    }
    out += longest != nullptr ? longest->second : text.substr(at, 1);
    at += longest != nullptr ? longest->first.size() : 1;
  }
  return out;
}

}  // namespace lockstep
