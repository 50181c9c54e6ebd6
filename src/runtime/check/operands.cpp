#include "runtime/check/operands.hpp"

#include <bit>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace lockstep::detectors {
namespace {

std::uint64_t value(const LaneValues& values, int lane) {
  return values.bits[static_cast<std::size_t>(lane * values.components)];
}

/// The first lane whose value differs from that of the first lane; -1 if there is none.
int first_other(const LaneValues& values, LaneSet lanes) {
  const int first = lanes.first();
  int other = -1;
  for_each_lane(lanes, [&](int lane) {
    for (int k = 0; k < values.components && other < 0; ++k) {
      const auto at = [&](int i) {
        return values.bits[static_cast<std::size_t>(i * values.components + k)];
      };
      if (at(lane) != at(first)) other = lane;
    }
  });
  return other;
}

bool is_ballot(const LaneValues& values) { return values.components == 4; }
/// The bits of a lane's ballot.
LaneSet ballot(const LaneValues& values, int lane) {
  const std::uint64_t* const word = &values.bits[static_cast<std::size_t>(lane) * 4];
  return {word[0] | word[1] << 32, word[2] | word[3] << 32};
}

/// Whether it is written for subgroups of any size, as uvec4(n): what is ignored is meant to be.
bool is_repeated(const LaneValues& values, int lane) {
  const std::uint64_t* const word = &values.bits[static_cast<std::size_t>(lane) * 4];
  return word[1] == word[0] && word[2] == word[0] && word[3] == word[0];
}
/// Whether it has the bits of all lanes, as uvec4(~0u) or uvec4(~0u, 0u, 0u, 0u).
bool is_all_ones(const LaneValues& values, int lane, int size) {
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint64_t word = values.bits[static_cast<std::size_t>(lane) * 4 + k];
    if (word != 0 && word != 0xffffffff) return false;
  }
  return LaneSet::first_n(size).within(ballot(values, lane));
}

/// Whether a bit of a lane's ballot is not one of so many lanes, in some lane, active or not.
bool any_outside(const LaneValues& ballots, int size) {
  const LaneSet all = LaneSet::first_n(size);
  const std::uint64_t inside[] = {all.low & 0xffffffff, all.low >> 32, all.high & 0xffffffff,
                                  all.high >> 32};
  std::uint64_t outside = 0;
  for (std::size_t at = 0; at + 4 <= ballots.bits.size(); at += 4)
    for (std::size_t k = 0; k < 4; ++k) outside |= ballots.bits[at + k] & ~inside[k];
  return outside != 0;
}

}  // namespace

void Operands::on(const Event& event) {
  if (event.kind != Event::Kind::built_in || event.operands.empty()) return;
  const LaneSet lanes = event.tangles.front().lanes;
  const std::string_view name = event.name;
  const LaneValues& last = event.operands.back();
  if (name == "subgroupBroadcast")
    return agree(Check::broadcast_not_uniform, event, last, lanes, "number of the lane",
                 "use subgroupShuffle");
  if (is_ballot(last) && (name == "subgroupInverseBallot" || name.starts_with("subgroupBallot")))
    examine_bits(event, last, lanes);
  if (is_ballot(last) && name.starts_with("subgroupPartitioned"))
    return examine_partition(event, last, lanes);
  if (name == "subgroupInverseBallot")
    return agree(Check::inverse_ballot_not_uniform, event, last, lanes, "ballot",
                 "use subgroupBallotBitExtract");
  if (name == "subgroupRotate" || name == "subgroupClusteredRotate")
    agree(Check::rotate_not_uniform, event, event.operands[1], lanes, "distance",
          "use subgroupShuffle");
  if (name.starts_with("subgroupClustered")) return examine_cluster(event, last, lanes);
  if (name.starts_with("subgroupQuad")) examine_quad(event, lanes);
}

void Operands::agree(Check check, const Event& event, const LaneValues& operand, LaneSet lanes,
                     std::string_view what, std::string_view instead) {
  const int first = lanes.first(), other = first_other(operand, lanes);
  if (other < 0) return;
  report(
      check, event, lanes,
      fmt::format("the {} that {} takes differs between lanes: lane {} has {}, lane {} has {}; {}",
                  what, event.name, first, to_string(operand, first), other,
                  to_string(operand, other), instead));
}

void Operands::examine_bits(const Event& event, const LaneValues& ballots, LaneSet lanes) {
  if (!any_outside(ballots, size_)) return;
  const LaneSet all = LaneSet::first_n(size_);
  LaneSet ignored, counted;
  for_each_lane(lanes, [&](int lane) {
    if (!ballot(ballots, lane).without(all).any_lane()) return;
    if (is_all_ones(ballots, lane, size_))
      counted = counted | LaneSet::lane(lane);
    else if (!is_repeated(ballots, lane))
      ignored = ignored | LaneSet::lane(lane);
  });
  if (ignored.any_lane()) {
    const LaneSet bits = ballot(ballots, ignored.first()).without(all);
    const bool one = bits.count() == 1;
    hint(Check::ballot_bit_outside, event, ignored,
         fmt::format("bit{} {} of the ballot that {} takes {} ignored in a subgroup of {}",
                     one ? "" : "s", to_string(bits), event.name, one ? "is" : "are", size_));
  }
  if (event.name == "subgroupBallotBitCount" && counted.any_lane() && !all.within(lanes))
    hint(Check::ballot_bit_outside, event, counted,
         fmt::format("subgroupBallotBitCount of all ones gives {}, but {} of these lanes are "
                     "active; subgroupBallot(true) has their bits",
                     size_, lanes.count()));
}

void Operands::examine_partition(const Event& event, const LaneValues& ballots, LaneSet lanes) {
  LaneSet differ;
  int first = -1, other = -1;
  bool is_partition = true;
  for_each_lane(lanes, [&](int lane) {
    const LaneSet mine = ballot(ballots, lane);
    is_partition = is_partition && mine.test(lane);
    for_each_lane(mine & lanes, [&](int k) {
      const LaneSet its = ballot(ballots, k);
      is_partition = is_partition && (its & lanes) == (mine & lanes);
      if (its == mine) return;
      differ = differ | LaneSet::lane(lane);
      if (first < 0) first = lane, other = k;
    });
  });
  if (!is_partition || !differ.any_lane()) return;  // what is none has no defined result
  hint(Check::partition_invalid, event, differ,
       fmt::format("the ballots that {} takes in lanes {} and {} differ in bits of lanes that are "
                   "not active: HLSL ignores those, but GLSL compares whole ballots",
                   event.name, first, other));
}

void Operands::examine_cluster(const Event& event, const LaneValues& size, LaneSet lanes) {
  const std::uint64_t lanes_each = value(size, lanes.first());
  if (std::has_single_bit(lanes_each) && lanes_each <= static_cast<std::uint64_t>(size_)) return;
  report(
      Check::cluster_size, event, lanes,
      fmt::format("{} with clusters of {} lanes in a subgroup of {}; clusters are a power of two, "
                  "and no larger than the subgroup",
                  event.name, lanes_each, size_));
}

void Operands::examine_quad(const Event& event, LaneSet lanes) {
  if (size_ < 4)
    report(Check::quad_size, event, lanes,
           fmt::format("{} in a subgroup of {}, which has no quads", event.name, size_));
  if (event.name != "subgroupQuadBroadcast") return;
  const LaneValues& index = event.operands[1];
  for (int quad = 0; quad < size_; quad += 4) {
    const LaneSet here = lanes & LaneSet::first_n(quad + 4).without(LaneSet::first_n(quad));
    if (!here.any_lane()) continue;
    const int first = here.first(), other = first_other(index, here);
    if (other >= 0)
      report(
          Check::quad_index, event, here,
          fmt::format("the index that subgroupQuadBroadcast takes differs in a quad: lane {} has "
                      "{}, lane {} has {}; use subgroupShuffle",
                      first, to_string(index, first), other, to_string(index, other)));
    else if (value(index, first) >= 4)
      report(Check::quad_index, event, here,
             fmt::format("subgroupQuadBroadcast from lane {} of a quad, which has 4",
                         to_string(index, first)));
  }
}

void Operands::hint(Check check, const Event& event, LaneSet lanes, std::string message) {
  report(check, event, lanes, std::move(message), Severity::note);
}

void Operands::report(Check check, const Event& event, LaneSet lanes, std::string message,
                      Severity severity) {
  if (!checks_.has(check)) return;
  Finding finding = finding_of(check);
  finding.severity = severity;
  finding.message = std::move(message);
  finding.where = event.where;
  finding.workgroup = {event.workgroup[0], event.workgroup[1], event.workgroup[2]};
  finding.subgroup = event.subgroup;
  finding.lanes = lanes;
  finding.count = static_cast<std::uint64_t>(lanes.count());
  found_.record(finding);
}

}  // namespace lockstep::detectors
