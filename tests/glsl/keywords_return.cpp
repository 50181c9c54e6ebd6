#include "glsl/diary.hpp"
#include "support/settings.hpp"

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

// Each kernel has a scalar version: the same statements for one lane, with C++'s own control
// flow.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using std::uint32_t;

template <class S>
struct ReturnInLoop : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    diary.note(1);
    If (x % 19u == 0u) Return;
    diary.note(2);
    For (auto i = var(0u), i < 8u, ++i) {
      If (i == x % 10u) {
        diary.note(3);
        If (x % 2u == 0u) Return;
        diary.note(4);
      }
      Else If (i == 7u) {
        If (x % 3u == 0u) Return;
        Break;
      }
      diary.note(5);
    }
    diary.note(6);
  }
};

void return_in_loop(uint32_t x, LaneDiary& diary) {
  diary.note(1);
  if (x % 19 == 0) return;
  diary.note(2);
  for (uint32_t i = 0; i < 8; ++i) {
    if (i == x % 10) {
      diary.note(3, {i});
      if (x % 2 == 0) return;
      diary.note(4, {i});
    } else if (i == 7) {
      if (x % 3 == 0) return;
      break;
    }
    diary.note(5, {i});
  }
  diary.note(6);
}

TEST_CASE("lanes that returned from a loop never come back") {
  check_diaries<ReturnInLoop>(return_in_loop);
}

template <class S>
struct ReturnInBothBranches : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{129};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    If (x % 4u == 0u) {
      diary.note(1);
      If (x % 8u == 0u) {
        Return;
      }
      Else { Return; }
      diary.note(90);
    }
    Else If (x % 4u == 1u) { Return; }
    Else { diary.note(2); }
    diary.note(3);
    If (x % 4u == 2u) {
      Return;
    }
    Else {
      diary.note(4);
      Return;
    }
    // No lane is active here, and the statement is harmless.
    diary.note(91);
    diary.value(x);
    If (true) diary.note(92);
    If (x == x) {
      diary.note(93);
    }
    Else { diary.note(94); }
    While (true) diary.note(95);
    For (auto i = var(0u), true, ++i) diary.note(96);
    pages[0xffffffffu] = x;
    pages[x + 0xfffff000u] = x;
    diary.value(pages[0xffffffffu]);
    diary.value(pages[x + 0xfffff000u]);
    atomicAdd(pages[0xffffffffu], 1u);
    atomicAdd(pages[0], subgroupAdd(x) + subgroupMax(x) + subgroupBroadcastFirst(x));
    if (subgroupAny(true)) diary.note(97);
    Break;
    Continue;
    diary.value(subgroupInclusiveAdd(x) + subgroupShuffle(x, x) + subgroupBroadcast(x, 3u));
  }
};

void return_in_both_branches(uint32_t x, LaneDiary& diary) {
  if (x % 4 == 0) {
    diary.note(1);
    return;
  } else if (x % 4 == 1) {
    return;
  } else {
    diary.note(2);
  }
  diary.note(3);
  if (x % 4 == 2) return;
  diary.note(4);
}

TEST_CASE("code that no lane reaches is harmless") {
  check_diaries<ReturnInBothBranches>(return_in_both_branches);
}

template <class S>
struct Search : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{70};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  // The first input not below 30 at or after the invocation's own, at most 40 places on.
  void main() {
    auto at = var(gl_GlobalInvocationID.x);
    While (true) {
      If (at >= in.length()) {
        diary.note(1);
        Return;
      }
      If (in[at] >= 30u) Break;
      at += 1u;
      If (at > gl_GlobalInvocationID.x + 40u) {
        diary.note(2);
        Return;
      }
    }
    const Uint found = in[at];
    If (found < 30u) diary.note(90);
    diary.note(3);
  }
};

TEST_CASE("lanes search on through a buffer until each has found its own") {
  constexpr uint32_t local = 70;
  std::vector<uint32_t> in = diary_inputs(3 * local);
  for (uint32_t& x : in) x = x % 8 == 0 ? 30 + x : x % 30;
  for (const int size : run_sizes) {
    std::vector<uint32_t> pages(in.size() * page_size, unwritten);
    const FaultLog faults =
        Device{.subgroup_size = size, .threads = 1}.dispatch<Search, LOCKSTEP_TEST_WIDTHS>({3}, in,
                                                                                           pages);
    CHECK(faults.count() == 0);
    const auto lanes = static_cast<uint32_t>(size);
    std::vector<uint32_t> want(pages.size(), unwritten);
    // Lanes that leave at the same point of the same iteration are together; after the loop all are.
    std::map<std::vector<uint32_t>, std::pair<uint32_t, uint32_t>> parties;
    std::vector<std::vector<uint32_t>> ends(in.size());
    for (uint32_t id = 0; id < in.size(); ++id) {
      uint32_t at = id, point = 0;
      while (point == 0) {
        if (at >= in.size())
          point = 1;
        else if (in[at] >= 30)
          point = 3;
        else if (++at > id + 40)
          point = 2;
      }
      const uint32_t lane = id % local % lanes;
      const uint32_t subgroup = id - lane;
      ends[id] = {subgroup, point, point == 3 ? 0 : at - id};
      ++parties.try_emplace(ends[id], std::pair{lane, 0u}).first->second.second;
    }
    for (uint32_t id = 0; id < in.size(); ++id) {
      const auto [first, count] = parties.at(ends[id]);
      want[id * page_size] = note_word(ends[id][1], first, count);
    }
    check_pages(pages, want, lanes);
  }
}

}  // namespace
