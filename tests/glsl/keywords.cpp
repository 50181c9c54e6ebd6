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

// --- selections

template <class S>
struct IfElse : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    If (x % 2u == 0u) {
      diary.note(1);
      diary.value(x + 7u);
    }
    Else { diary.note(2); }
    diary.note(3);
    If (x > 30u) diary.note(4);
    If (x > 5000u) {
      diary.note(5);
    }
    Else { diary.note(6); }
    If (x < 5000u) {
      diary.note(7);
    }
    Else { diary.note(8); }
    diary.note(9);
  }
};

void if_else(uint32_t x, LaneDiary& diary) {
  if (x % 2 == 0) {
    diary.note(1);
    diary.value(x + 7);
  } else {
    diary.note(2);
  }
  diary.note(3);
  if (x > 30) diary.note(4);
  if (x > 5000) {
    diary.note(5);
  } else {
    diary.note(6);
  }
  if (x < 5000) {
    diary.note(7);
  } else {
    diary.note(8);
  }
  diary.note(9);
}

TEST_CASE("If and Else share the lanes out, and behind them all run again") {
  check_diaries<IfElse>(if_else);
}

template <class S>
struct ElseIfChain : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{37};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    If (x % 5u == 0u) {
      diary.note(1);
    }
    Else If (x % 3u == 0u) {
      diary.note(2);
      If (x % 2u == 0u) {
        diary.note(3);
      }
      Else { diary.note(4); }
      diary.note(5);
    }
    Else If (x > 5000u) { diary.note(6); }
    Else If (x % 7u < 3u) { diary.note(7); }
    Else { diary.note(8); }
    diary.note(9);
    If (x % 4u == 0u) {
      diary.note(10);
    }
    Else If (x % 4u == 1u) { diary.note(11); }
    If (x < 5000u) {
      diary.note(12);
    }
    Else If (x == 0u) { diary.note(13); }
    Else { diary.note(14); }
    diary.note(15);
  }
};

void else_if_chain(uint32_t x, LaneDiary& diary) {
  if (x % 5 == 0) {
    diary.note(1);
  } else if (x % 3 == 0) {
    diary.note(2);
    if (x % 2 == 0) {
      diary.note(3);
    } else {
      diary.note(4);
    }
    diary.note(5);
  } else if (x > 5000) {
    diary.note(6);
  } else if (x % 7 < 3) {
    diary.note(7);
  } else {
    diary.note(8);
  }
  diary.note(9);
  if (x % 4 == 0) {
    diary.note(10);
  } else if (x % 4 == 1) {
    diary.note(11);
  }
  if (x < 5000) {
    diary.note(12);
  } else if (x == 0) {
    diary.note(13);
  } else {
    diary.note(14);
  }
  diary.note(15);
}

TEST_CASE("Else If chains take the first condition that holds") {
  check_diaries<ElseIfChain>(else_if_chain);
}

template <class S>
struct NestedIfs : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{1};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    If (x % 2u == 0u) {
      If (x % 3u == 0u) {
        If (x % 5u == 0u) {
          diary.note(1);
        }
        Else { diary.note(2); }
        diary.note(3);
      }
      Else {
        diary.note(4);
        If (x > 20u) diary.note(5);
      }
      diary.note(6);
    }
    Else {
      If (x > 20u) {
        diary.note(7);
      }
      diary.note(8);
    }
    diary.note(9);
  }
};

void nested_ifs(uint32_t x, LaneDiary& diary) {
  if (x % 2 == 0) {
    if (x % 3 == 0) {
      if (x % 5 == 0) {
        diary.note(1);
      } else {
        diary.note(2);
      }
      diary.note(3);
    } else {
      diary.note(4);
      if (x > 20) diary.note(5);
    }
    diary.note(6);
  } else {
    if (x > 20) {
      diary.note(7);
    }
    diary.note(8);
  }
  diary.note(9);
}

TEST_CASE("nested selections rejoin one after the other") { check_diaries<NestedIfs>(nested_ifs); }

// --- uniform control flow around and inside

template <class S>
struct Uniform : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    for (uint i = 0; i < 4; ++i) {
      if (i % 2 == 0) {
        If (x % 3u == i) {
          diary.note(1);
        }
        Else {
          if (i == 2) diary.note(2);
        }
      } else {
        For (auto j = var(0u), j < x % 3u, ++j) {
          for (uint k = 0; k < i; ++k) diary.note(3);
          if (i == 3) {
            If (j == 1u) Break;
          }
        }
      }
      diary.note(4);
    }
    If (x % 2u == 0u) {
      if (subgroupAny(x % 2u == 1u)) diary.note(90);
      if (subgroupAll(x % 2u == 0u)) diary.note(5);
    }
    if (gl_WorkGroupID.x == 7) return;
    diary.note(6);
  }
};

void uniform(uint32_t x, LaneDiary& diary) {
  for (uint32_t i = 0; i < 4; ++i) {
    if (i % 2 == 0) {
      if (x % 3 == i) {
        diary.note(1, {i});
      } else {
        if (i == 2) diary.note(2, {i});
      }
    } else {
      for (uint32_t j = 0; j < x % 3; ++j) {
        for (uint32_t k = 0; k < i; ++k) diary.note(3, {i, j, k});
        if (i == 3) {
          if (j == 1) break;
        }
      }
    }
    diary.note(4, {i});
  }
  if (x % 2 == 0) diary.note(5);
  diary.note(6);
}

TEST_CASE("plain if and for move the whole subgroup, between and inside Capitals") {
  check_diaries<Uniform>(uniform);
}

/// Choose between values per lane, plain numbers, elements and variables.
template <class S>
struct Chooses : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<float> floats;

  void main() {
    const Uint i = gl_LocalInvocationIndex;
    auto v = var(in[i]);
    out[i] = Choose(i > 3u, 1u, 0u);
    out[i + 16u] = Choose(i > 3u, in[i], 7u);
    out[i + 32u] = Choose(i > 3u, 7u, in[i]);
    out[i + 48u] = Choose(i > 3u, v, i);
    out[i + 64u] = Choose(i > 3u, 5u, v);
    floats[i] = Choose(i > 3u, 1.5f, 0.5f);
    floats[i + 16u] = Choose(i > 3u, 1u, 0.5f);
    auto w = var(uvec2(i, i + 1u));
    const Uint y = Choose(i > 3u, w, uvec2(3u, 4u)).y;
    out[i + 80u] = y;
    out[i + 96u] = Choose(i > 3u, w.x, 6u);
    out[i + 112u] = Choose(i > 3u, subgroupMax(1u), i);
    floats[i + 32u] = Float(Choose(Choose(i > 3u, true, false), 1, -1));
  }
};

TEST_CASE("Choose takes values per lane and plain numbers, on either side") {
  std::vector<uint32_t> in(16), out(128), expected(128);
  std::vector<float> floats(48), expected_floats(48);
  for (uint32_t i = 0; i < 16; ++i) {
    const bool c = i > 3;
    in[i] = 100 + i;
    expected[i] = c ? 1 : 0;
    expected[i + 16] = c ? in[i] : 7;
    expected[i + 32] = c ? 7 : in[i];
    expected[i + 48] = c ? in[i] : i;
    expected[i + 64] = c ? 5 : in[i];
    expected[i + 80] = c ? i + 1 : 4;
    expected[i + 96] = c ? i : 6;
    expected[i + 112] = c ? 1 : i;
    expected_floats[i] = c ? 1.5f : 0.5f;
    expected_floats[i + 16] = c ? 1.0f : 0.5f;
    expected_floats[i + 32] = c ? 1.0f : -1.0f;
  }
  const Device device{.subgroup_size = 8};
  device.dispatch<Chooses, 8>({1}, in, out, floats);
  CHECK(out == expected);
  CHECK(floats == expected_floats);
  out.assign(128, 9);
  device.dispatch<Chooses, 8>(Convergence{}, {1}, in, out, floats);
  CHECK(out == expected);
}

TEST_CASE("keywords go away, and come back") {
#include <lockstep/glsl/keywords_off.hpp>
  [[maybe_unused]] const auto If = [](int x) { return x + 1; };
  [[maybe_unused]] const int Else = 1, While = 2, For = 3, Break = 4, Continue = 5, Return = 6;
  CHECK(If (Else + While + For + Break + Continue + Return) == 22);
#if defined(If) || defined(Else) || defined(While) || defined(For) || defined(Break) || \
    defined(Continue) || defined(Return)
  FAIL("a keyword is left");
#endif
#include <lockstep/glsl/keywords.hpp>
#if !defined(If) || !defined(Else) || !defined(While) || !defined(For) || !defined(Break) || \
    !defined(Continue) || !defined(Return)
  FAIL("a keyword did not come back");
#endif
}

}  // namespace
