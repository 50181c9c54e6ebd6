#include "explain/rows.hpp"

namespace lockstep::explain {
namespace {

/// The mistakes of an operation of the table, and of further rows by their name.
struct Entry {
  std::string_view of;
  Mistake mistake;
};

constexpr Entry entries[] = {
    {"elect",
     {"Taking lane 0 for the elected lane. The elected lane is the lowest active one, and differs "
      "between branches.",
      ""}},
    {"all",
     {"Asking the whole workgroup: only the active lanes of one subgroup vote. Inactive lanes do "
      "not count as false.",
      ""}},
    {"any",
     {"Voting inside the branch that the vote should decide: lanes elsewhere do not vote there.",
      ""}},
    {"all_equal",
     {"Expecting true for floats that are all NaN: a NaN equals nothing, not even itself.", ""}},
    {"broadcast",
     {"An id that differs between lanes; subgroupShuffle takes one.", "broadcast-not-uniform"}},
    {"broadcast",
     {"Reading lane 0 in a branch that lane 0 did not take; subgroupBroadcastFirst always has a "
      "source.",
      "undefined-broadcast"}},
    {"broadcast_first",
     {"Expecting the elected lane's value after the branch of an election without a promise that "
      "lanes rejoin there (see lockstep explain reconvergence).",
      ""}},
    {"ballot",
     {"Assuming 32 bits: a subgroup may have 128 lanes, with bits in all four components.", ""}},
    {"inverse_ballot",
     {"A ballot that differs between lanes; subgroupBallotBitExtract takes one.",
      "inverse-ballot-not-uniform"}},
    {"ballot_bit_extract", {"An index at or beyond the subgroup size.", "ballot-bit-outside"}},
    {"ballot_bit_count",
     {"Counting a ballot of all ones to count active lanes: bits of inactive lanes count, too. "
      "Count subgroupBallot(true).",
      ""}},
    {"ballot_inclusive_bit_count",
     {"Using it as an offset: it counts the lane itself, so offsets start at 1. The exclusive "
      "count starts at 0.",
      ""}},
    {"ballot_exclusive_bit_count",
     {"Taking the ballot before a branch and the count inside it: bits of lanes that went "
      "elsewhere still count.",
      ""}},
    {"ballot_find_lsb", {"Looking into a ballot that may be empty.", "find-in-empty-ballot"}},
    {"ballot_find_msb", {"Looking into a ballot that may be empty.", "find-in-empty-ballot"}},
    {"shuffle", {"Reading a lane that is not active.", "undefined-shuffle"}},
    {"shuffle_xor",
     {"A mask as large as the subgroup, in loops written for one size.", "undefined-shuffle"}},
    {"shuffle_up",
     {"Using the result in the lowest lanes. CUDA gives them their own value; in GLSL it is "
      "undefined.",
      "shuffle-past-edge"}},
    {"shuffle_up",
     {"Shuffling inside a branch that the source did not take.", "undefined-shuffle"}},
    {"shuffle_down",
     {"Using the result in the highest lanes. CUDA gives them their own value; in GLSL it is "
      "undefined.",
      "shuffle-past-edge"}},
    {"shuffle_down",
     {"Shuffling inside a branch that the source did not take.", "undefined-shuffle"}},
    {"rotate", {"A distance that differs between lanes.", "rotate-not-uniform"}},
    {"rotate",
     {"Rotating in a subgroup that is not full: the last lanes do not exist.",
      "undefined-shuffle"}},
    {"clustered_rotate", {"A cluster larger than the subgroup.", "cluster-size"}},
    {"clustered_rotate", {"A distance that differs between lanes.", "rotate-not-uniform"}},
    {"reduce",
     {"Reducing inside a branch and expecting all lanes to take part: only its active lanes do.",
      ""}},
    {"inclusive_scan",
     {"Taking the total from lane gl_SubgroupSize - 1, which may be inactive or not exist.",
      "undefined-broadcast"}},
    {"exclusive_scan",
     {"Taking its last value for the total: it lacks the last lane's own value.", ""}},
    {"clustered",
     {"A cluster larger than the subgroup, on a device with a smaller one.", "cluster-size"}},
    {"clustered",
     {"Expecting clusters of active lanes: clusters are aligned by lane number, so one may have "
      "fewer active lanes than another.",
      ""}},
    {"quad_broadcast", {"An index that differs in a quad, or above 3.", "quad-index"}},
    {"quad_broadcast", {"Reading a lane of the quad that is not active.", "undefined-quad"}},
    {"quad_swap", {"Swapping in a branch that only part of the quad took.", "undefined-quad"}},
    {"quad_swap",
     {"Expecting 2 by 2 pixels in a compute shader: there, quads are four consecutive lanes unless "
      "the shader asks for a layout.",
      ""}},
    {"quad_swap", {"Quads in a subgroup of less than 4 lanes.", "quad-size"}},
    {"quad_all", {"Quads in a subgroup of less than 4 lanes.", "quad-size"}},
    {"quad_any", {"Quads in a subgroup of less than 4 lanes.", "quad-size"}},
    {"partition",
     {"Expecting all NaNs in one subset: each is alone, since NaN equals nothing.", ""}},
    {"partitioned_reduce",
     {"Ballots that do not partition the active lanes, such as ballots from before a branch.",
      "partition-invalid"}},
    {"partitioned_inclusive_scan",
     {"Ballots that do not partition the active lanes, such as ballots from before a branch.",
      "partition-invalid"}},
    {"partitioned_exclusive_scan",
     {"Ballots that do not partition the active lanes, such as ballots from before a branch.",
      "partition-invalid"}},
    {"gl_SubgroupSize",
     {"Taking it for the number of active lanes: that is "
      "subgroupBallotBitCount(subgroupBallot(true)).",
      ""}},
    {"gl_SubgroupSize", {"Writing 32 instead.", ""}},
    {"gl_SubgroupInvocationID",
     {"Taking gl_LocalInvocationIndex % gl_SubgroupSize for it: nothing promises that they agree.",
      ""}},
    {"gl_NumSubgroups",
     {"An array of 32 totals, one for each subgroup: at size 1 there is one for each invocation.",
      "out-of-bounds"}},
    {"gl_SubgroupID",
     {"Taking gl_LocalInvocationIndex / gl_SubgroupSize for it: nothing promises that they agree.",
      ""}},
    {"Mask",
     {"Taking its bits for active lanes: all lanes have one. Combine it with a ballot.", ""}},
    {"subgroupBarrier",
     {"Letting lanes exchange values through memory without it: running in lockstep orders "
      "nothing.",
      "lockstep-exchange"}},
    {"subgroupBarrier",
     {"Expecting it to hold for the workgroup; that is barrier().", "data-race"}},
    {"subgroupMemoryBarrier",
     {"Expecting lanes to wait: it only orders the lane's own accesses. subgroupBarrier() waits.",
      "lockstep-exchange"}},
};

/// Minima and maxima have one more.
constexpr Mistake nan_only{"A minimum or maximum of nothing but NaNs.", "all-nan"};
constexpr Mistake float_order{
    "Comparing a sum of floats exactly with another device's: the order of additions is open (see "
    "lockstep explain float-order).",
    ""};

bool applies(const Entry& entry, const Row& row) {
  if (row.kind == Row::Kind::function) return entry.of == row.operation;
  if (row.kind == Row::Kind::barrier)
    return entry.of == "subgroupBarrier" ? row.name() == entry.of
                                         : row.name().starts_with(entry.of);
  return entry.of == row.name() || (entry.of == "Mask" && row.name().ends_with("Mask"));
}

}  // namespace

std::vector<Mistake> mistakes(const Row& row) {
  std::vector<Mistake> all;
  for (const Entry& entry : entries)
    if (applies(entry, row)) all.push_back(entry.mistake);
  if (row.op == "min" || row.op == "max") all.push_back(nan_only);
  if (row.op == "add" || row.op == "mul") all.push_back(float_order);
  return all;
}

}  // namespace lockstep::explain
