#include <lockstep/glsl/kernel.hpp>

#include <vector>

#include "glsl/diary.hpp"
#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
using std::uint32_t;

// --- the gl_ variables

/// What each invocation reports of itself: one row per invocation.
constexpr uint32_t row_size = 18;

// Out of line: inlining this many stores into the dispatch's loop takes long to compile.
template <class S>
[[gnu::noinline]] void write_row(const Kernel<S>& k, Array<uint32_t, S::width> rows) {
  using Uint = Lanes<uint32_t, S::width>;
  const uint32_t workgroup =
      (k.gl_WorkGroupID.z * k.gl_NumWorkGroups.y + k.gl_WorkGroupID.y) * k.gl_NumWorkGroups.x +
      k.gl_WorkGroupID.x;
  const Size3 size = k.gl_WorkGroupSize;
  const Uint row = (workgroup * (size.x * size.y * size.z) + k.gl_LocalInvocationIndex) * row_size;
  const Uint words[row_size] = {k.gl_NumSubgroups,
                                k.gl_SubgroupID,
                                k.gl_SubgroupSize,
                                k.gl_SubgroupInvocationID,
                                k.gl_NumWorkGroups.x,
                                k.gl_NumWorkGroups.y,
                                k.gl_NumWorkGroups.z,
                                k.gl_WorkGroupID.x,
                                k.gl_WorkGroupID.y,
                                k.gl_WorkGroupID.z,
                                size.x + 1000 * size.y + 1000000 * size.z,
                                k.gl_LocalInvocationIndex,
                                k.gl_LocalInvocationID.x,
                                k.gl_LocalInvocationID.y,
                                k.gl_LocalInvocationID.z,
                                k.gl_GlobalInvocationID.x,
                                k.gl_GlobalInvocationID.y,
                                k.gl_GlobalInvocationID.z};
  for (uint32_t i = 0; i < row_size; ++i) rows[row + i] = words[i];
}

template <class S, Size3 Local>
struct WhoAmI : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size = Local;
  Buffer<uint> rows;

  void main() { write_row(*this, rows); }
};
/// The same, by one kernel object for all subgroups, before and after a barrier.
template <class S, Size3 Local>
struct WhoAmIWithBarriers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size = Local;
  Buffer<uint> rows;

  Barriers main() {
    if (gl_SubgroupID % 2 == 0) write_row(*this, rows);
    co_await barrier();
    if (gl_SubgroupID % 2 == 1) write_row(*this, rows);
  }
};

// Alias templates, because a dispatch takes a template over the machine alone.
template <class S>
using InRow = WhoAmI<S, Size3{150}>;
template <class S>
using InPlane = WhoAmI<S, Size3{7, 5}>;
template <class S>
using InSpace = WhoAmI<S, Size3{3, 4, 5}>;
template <class S>
using InRowWithBarriers = WhoAmIWithBarriers<S, Size3{70}>;
template <class S>
using InSpaceWithBarriers = WhoAmIWithBarriers<S, Size3{3, 4, 5}>;

template <template <class> class K>
void check_who_am_i(Size3 groups) {
  constexpr Size3 local = K<FastMachine<1>>::local_size;
  constexpr uint32_t invocations = local.x * local.y * local.z;
  for (const int size : run_sizes) {
    const auto lanes = static_cast<uint32_t>(size);
    std::vector<uint32_t> want;
    for (uint32_t gz = 0; gz < groups.z; ++gz)
      for (uint32_t gy = 0; gy < groups.y; ++gy)
        for (uint32_t gx = 0; gx < groups.x; ++gx) {
          uint32_t index = 0;
          for (uint32_t z = 0; z < local.z; ++z)
            for (uint32_t y = 0; y < local.y; ++y)
              for (uint32_t x = 0; x < local.x; ++x, ++index) {
                const uint32_t subgroups = invocations / lanes + (invocations % lanes ? 1 : 0);
                for (const uint32_t word :
                     {subgroups, index / lanes, lanes, index % lanes, groups.x, groups.y, groups.z,
                      gx, gy, gz, local.x + 1000 * local.y + 1000000 * local.z, index, x, y, z,
                      gx * local.x + x, gy * local.y + y, gz * local.z + z})
                  want.push_back(word);
              }
        }
    std::vector<uint32_t> rows(want.size());
    const FaultLog faults =
        Device{.subgroup_size = size}.dispatch<K, LOCKSTEP_TEST_WIDTHS>(groups, rows);
    INFO("subgroup size " << size);
    CHECK(faults.count() == 0);
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (rows[i] == want[i]) continue;
      FAIL("invocation " << i / row_size << ", word " << i % row_size << ": got " << rows[i]
                         << ", want " << want[i]);
    }
  }
}

TEST_CASE("gl_ variables in one dimension") { check_who_am_i<InRow>({3}); }
TEST_CASE("gl_ variables in two dimensions") { check_who_am_i<InPlane>({3, 2}); }
TEST_CASE("gl_ variables in three dimensions") { check_who_am_i<InSpace>({2, 3, 4}); }
TEST_CASE("gl_ variables around barriers") {
  check_who_am_i<InSpaceWithBarriers>({2, 3, 4});
  check_who_am_i<InRowWithBarriers>({2, 3});
}

template <class S>
struct MaskVariables : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<uint> words;

  void main() { write(); }

  [[gnu::noinline]] void write() {
    const Uint at = gl_GlobalInvocationID.x * 20u;
    const BallotLanes<S::width>* const masks[] = {&gl_SubgroupEqMask, &gl_SubgroupGeMask,
                                                  &gl_SubgroupGtMask, &gl_SubgroupLeMask,
                                                  &gl_SubgroupLtMask};
    for (uint k = 0; k < 5; ++k) {
      words[at + 4 * k] = masks[k]->x;
      words[at + (4 * k + 1)] = masks[k]->y;
      words[at + (4 * k + 2)] = masks[k]->z;
      words[at + (4 * k + 3)] = masks[k]->w;
    }
  }
};

TEST_CASE("gl_Subgroup...Mask name the lanes in relation to one's own") {
  for (const int size : run_sizes) {
    std::vector<uint32_t> words(150 * 20);
    Device{.subgroup_size = size, .threads = 1}.dispatch<MaskVariables, LOCKSTEP_TEST_WIDTHS>(
        {1}, words);
    for (int id = 0; id < 150; ++id) {
      const int own = id % size;
      for (int lane = 0; lane < 128; ++lane) {
        const bool exists = lane < size;
        const bool want[] = {exists && lane == own, exists && lane >= own, exists && lane > own,
                             exists && lane <= own, exists && lane < own};
        for (int k = 0; k < 5; ++k) {
          const uint32_t word = words[static_cast<std::size_t>(id * 20 + 4 * k + lane / 32)];
          if ((word >> lane % 32 & 1) != (want[k] ? 1u : 0u))
            FAIL("size " << size << ", invocation " << id << ", mask " << k << ", bit " << lane);
        }
      }
    }
    SUCCEED();
  }
}

// --- control flow with the scope functions, without the keywords

template <class S>
struct Scopes : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    if (auto multiple = when(x % 4u == 0u)) {
      diary.note(1);
      if (auto large = when(x > 20u)) {
        diary.note(2);
        leave_function();
        diary.note(90);
      }
    }
    if (auto others = otherwise()) {
      if (auto odd = when(x % 2u == 1u)) diary.note(3);
      if (auto even = otherwise()) diary.note(4);
    }
    diary.note(5);
    auto i = var(0u);
    for (auto l = loop(); l.again((i < x % 9u).mask()); l.next()) {
      ++i;
      if (auto third = when((i + x) % 3u == 0u)) {
        diary.note(6);
        next_trip();
      }
      if (auto late = when((i > 5u) & (x % 2u == 0u))) {
        diary.note(7);
        leave_loop();
      }
      if (auto rest = otherwise()) {
        for (auto inner = loop(); inner.again((i % 5u < 3u).mask()); inner.next()) {
          ++i;
          if (auto done = when(i == 4u)) leave_loop();
          diary.note(8);
        }
      }
      diary.value(i);
    }
    diary.note(9);
  }
};

void scopes(uint32_t x, LaneDiary& diary) {
  if (x % 4 == 0) {
    diary.note(1);
    if (x > 20) {
      diary.note(2);
      return;
    }
  } else {
    if (x % 2 == 1)
      diary.note(3);
    else
      diary.note(4);
  }
  diary.note(5);
  uint32_t i = 0;
  for (uint32_t trip = 0; i < x % 9; ++trip) {
    ++i;
    if ((i + x) % 3 == 0) {
      diary.note(6, {trip});
      continue;
    }
    if (i > 5 && x % 2 == 0) {
      diary.note(7, {trip});
      break;
    } else {
      for (uint32_t inner = 0; i % 5 < 3; ++inner) {
        ++i;
        if (i == 4) break;
        diary.note(8, {trip, inner});
      }
    }
    diary.value(i);
  }
  diary.note(9);
}

TEST_CASE("when, otherwise, loop and the leave functions") { check_diaries<Scopes>(scopes); }

// --- variables, arguments of built-ins, and functions that take buffers

template <class S>
struct Variables : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{37};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    auto from_element = var(in[gl_GlobalInvocationID.x]);
    auto from_scalar = var(3u);
    auto from_lanes = var(from_element + from_scalar);
    auto flag = var(false);
    auto number = var(-2);
    auto real = var(0.5f);
    if (auto odd = when(from_element % 2u == 1u)) {
      from_scalar = in[gl_GlobalInvocationID.x];
      flag = from_lanes > 10u;
      number -= 1;
      real = real + 1.0f;
    }
    if (auto flagged = when(flag)) from_lanes = 0u;
    diary.value(from_scalar);
    diary.value(from_lanes);
    diary.value(Uint(flag));
    diary.value(Uint(number));
    diary.value(Uint(real * 2.0f));
    diary.value(own(in));
    diary.value(Uint(subgroupMax(in[gl_GlobalInvocationID.x]) >= own(in)));
    subgroupBarrier();
    subgroupMemoryBarrier();
    subgroupMemoryBarrierBuffer();
    subgroupMemoryBarrierShared();
    subgroupMemoryBarrierImage();
    memoryBarrier();
    memoryBarrierBuffer();
    memoryBarrierShared();
    groupMemoryBarrier();
  }

  Uint own(Buffer<const uint> buffer) { return buffer[gl_GlobalInvocationID.x]; }
};

void variables(uint32_t x, LaneDiary& diary) {
  uint32_t from_scalar = 3, from_lanes = x + 3;
  bool flag = false;
  int number = -2;
  float real = 0.5f;
  if (x % 2 == 1) {
    from_scalar = x;
    flag = from_lanes > 10;
    number -= 1;
    real += 1.0f;
  }
  if (flag) from_lanes = 0;
  diary.value(from_scalar);
  diary.value(from_lanes);
  diary.value(flag ? 1 : 0);
  diary.value(static_cast<uint32_t>(number));
  diary.value(static_cast<uint32_t>(real * 2));
  diary.value(x);
  diary.value(1);
}

TEST_CASE("variables of every kind, elements as arguments") { check_diaries<Variables>(variables); }

}  // namespace
