#include "spirv/ir/names.hpp"

namespace lockstep::spirv {

std::string_view name_of(Scalar s) {
  constexpr std::string_view names[] = {"bool",   "int8",    "int16",   "int32",
                                        "int64",  "uint8",   "uint16",  "uint32",
                                        "uint64", "float16", "float32", "float64"};
  return names[static_cast<int>(s)];
}

const char* built_in_name(Code code) {
  switch (code) {
    case Code::elect:
      return "subgroupElect";
    case Code::all:
      return "subgroupAll";
    case Code::any:
      return "subgroupAny";
    case Code::all_equal:
      return "subgroupAllEqual";
    case Code::broadcast:
      return "subgroupBroadcast";
    case Code::broadcast_first:
      return "subgroupBroadcastFirst";
    case Code::shuffle:
      return "subgroupShuffle";
    case Code::shuffle_xor:
      return "subgroupShuffleXor";
    case Code::shuffle_up:
      return "subgroupShuffleUp";
    case Code::shuffle_down:
      return "subgroupShuffleDown";
    case Code::rotate:
      return "subgroupRotate";
    case Code::clustered_rotate:
      return "subgroupClusteredRotate";
    case Code::ballot:
      return "subgroupBallot";
    case Code::inverse_ballot:
      return "subgroupInverseBallot";
    case Code::ballot_bit_extract:
      return "subgroupBallotBitExtract";
    case Code::ballot_bit_count:
      return "subgroupBallotBitCount";
    case Code::ballot_inclusive_bit_count:
      return "subgroupBallotInclusiveBitCount";
    case Code::ballot_exclusive_bit_count:
      return "subgroupBallotExclusiveBitCount";
    case Code::ballot_find_lsb:
      return "subgroupBallotFindLSB";
    case Code::ballot_find_msb:
      return "subgroupBallotFindMSB";
    case Code::partition:
      return "subgroupPartitionNV";
    case Code::quad_broadcast:
      return "subgroupQuadBroadcast";
    case Code::quad_swap:
      return "subgroupQuadSwap";
    case Code::quad_all:
      return "subgroupQuadAll";
    case Code::quad_any:
      return "subgroupQuadAny";
    default:
      return "";
  }
}

const char* reduction_name(Code code, Operator op) {
  constexpr const char* names[4][7] = {
      {"subgroupAdd", "subgroupMul", "subgroupMin", "subgroupMax", "subgroupAnd", "subgroupOr",
       "subgroupXor"},
      {"subgroupInclusiveAdd", "subgroupInclusiveMul", "subgroupInclusiveMin",
       "subgroupInclusiveMax", "subgroupInclusiveAnd", "subgroupInclusiveOr",
       "subgroupInclusiveXor"},
      {"subgroupExclusiveAdd", "subgroupExclusiveMul", "subgroupExclusiveMin",
       "subgroupExclusiveMax", "subgroupExclusiveAnd", "subgroupExclusiveOr",
       "subgroupExclusiveXor"},
      {"subgroupClusteredAdd", "subgroupClusteredMul", "subgroupClusteredMin",
       "subgroupClusteredMax", "subgroupClusteredAnd", "subgroupClusteredOr",
       "subgroupClusteredXor"}};
  const int row = static_cast<int>(code) - static_cast<int>(Code::reduce);
  return row < 4 ? names[row][static_cast<int>(op)] : "subgroupPartitioned";
}

const char* atomic_name(Operator op) {
  constexpr const char* names[] = {
      "atomicAdd", "",          "atomicMin",      "atomicMax",      "atomicAnd",  "atomicOr",
      "atomicXor", "atomicSub", "atomicExchange", "atomicCompSwap", "atomicLoad", "atomicStore",
      "",          ""};
  return names[static_cast<int>(op)];
}

}  // namespace lockstep::spirv
