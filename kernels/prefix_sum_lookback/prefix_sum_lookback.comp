#version 450
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable

// The port of prefix_sum_lookback.hpp, which lists what it relies on.

layout(local_size_x = 1024) in;

layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(std430, binding = 2) coherent buffer NextTile { uint next_tile[]; };
layout(std430, binding = 3) coherent buffer States { uint states[]; };
layout(std430, binding = 4) coherent buffer Totals { uint totals[]; };
layout(std430, binding = 5) coherent buffer Sums { uint sums[]; };

const uint nothing_known = 0;
const uint total_known = 1;
const uint sum_known = 2;

shared uint told_tile;
shared uint told_before;
shared uint subgroup_totals[1024];

uint highest_active() { return subgroupBallotFindMSB(subgroupBallot(true)); }

// Scans the subgroups' totals; returns the tile's.
uint scan_totals() {
  uint carry = 0;
  for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
    uint k = first + gl_SubgroupInvocationID;
    uint sum = subgroupInclusiveAdd(k < gl_NumSubgroups ? subgroup_totals[k] : 0) + carry;
    if (k < gl_NumSubgroups) {
      subgroup_totals[k] = sum;
    }
    carry = subgroupBroadcast(sum, highest_active());
  }
  return carry;
}

// Lane i looks at the tile i before `end`.
uint sum_before(uint tile) {
  uint sum = 0;
  uint end = tile;
  while (end > 0) {
    uint k = end - 1 - gl_SubgroupInvocationID;
    bool exists = gl_SubgroupInvocationID < end;
    uint state = sum_known;  // before the first tile the sum is zero
    if (exists) {
      state = atomicOr(states[k], 0);  // GLSL has no atomic load
    }
    uvec4 known = subgroupBallot(state == sum_known);
    bool done = subgroupAny(state == sum_known);
    uint nearest = done ? subgroupBallotFindLSB(known) : gl_SubgroupSize;
    bool needed = gl_SubgroupInvocationID <= nearest;
    if (subgroupAny(needed && state == nothing_known)) {
      continue;  // look again
    }
    memoryBarrierBuffer();
    uint number = 0;
    if (needed && exists) {
      if (state == sum_known) {
        number = atomicOr(sums[k], 0);
      } else {
        number = atomicOr(totals[k], 0);
      }
    }
    sum += subgroupAdd(number);
    if (done) {
      break;
    }
    end -= gl_SubgroupSize;
  }
  return sum;
}

void look_back(uint tile) {
  uint total = scan_totals();
  if (tile > 0 && subgroupElect()) {
    atomicExchange(totals[tile], total);
    memoryBarrierBuffer();
    atomicExchange(states[tile], total_known);
  }
  uint before = sum_before(tile);
  if (subgroupElect()) {
    atomicExchange(sums[tile], before + total);
    memoryBarrierBuffer();
    atomicExchange(states[tile], sum_known);
    told_before = before;
  }
}

void main() {
  if (gl_SubgroupID == 0 && subgroupElect()) {
    told_tile = atomicAdd(next_tile[0], 1);
  }
  barrier();
  uint tile = told_tile;
  uint i = tile * 1024 + gl_LocalInvocationIndex;
  uint sum = subgroupInclusiveAdd(i < values.length() ? values[i] : 0);
  if (gl_SubgroupInvocationID == highest_active()) {
    subgroup_totals[gl_SubgroupID] = sum;
  }
  barrier();
  if (gl_SubgroupID == 0) {
    look_back(tile);
  }
  barrier();
  if (i < results.length()) {
    results[i] = told_before + sum + (gl_SubgroupID > 0 ? subgroup_totals[gl_SubgroupID - 1] : 0);
  }
}
