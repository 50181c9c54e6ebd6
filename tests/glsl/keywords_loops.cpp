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
struct Collatz : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    auto n = var(in[gl_GlobalInvocationID.x]);
    auto steps = var(0u);
    While (n > 1u) {
      If (n % 2u == 0u) {
        n /= 2u;
      }
      Else { n = 3u * n + 1u; }
      ++steps;
      If (steps == 20u) {
        diary.note(1);
        Break;
      }
      If (steps % 8u == 0u) diary.note(2);
    }
    diary.note(3);
    diary.value(n);
    diary.value(steps);
  }
};

void collatz(uint32_t n, LaneDiary& diary) {
  uint32_t steps = 0;
  while (n > 1) {
    const uint32_t trip = steps;
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
    if (steps == 20) {
      diary.note(1, {trip});
      break;
    }
    if (steps % 8 == 0) diary.note(2, {trip});
  }
  diary.note(3);
  diary.value(n);
  diary.value(steps);
}

TEST_CASE("While runs until no lane's condition holds, and Break takes lanes out") {
  check_diaries<Collatz, 1, 4, 24, 32, 64, 100, 128>(collatz);
}

template <class S>
struct ForContinue : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    For (auto i = var(0u), i < x % 13u, i += 1u + x % 2u) {
      If (i % 3u == 1u) {
        diary.note(1);
        Continue;
      }
      If ((i + x) % 4u == 0u) {
        diary.note(2);
      }
      Else {
        diary.note(3);
        If (x % 3u == 0u) Continue;
        diary.note(4);
      }
      diary.value(i);
    }
    diary.note(5);
  }
};

void for_continue(uint32_t x, LaneDiary& diary) {
  uint32_t trip = 0;
  for (uint32_t i = 0; i < x % 13; i += 1 + x % 2, ++trip) {
    if (i % 3 == 1) {
      diary.note(1, {trip});
      continue;
    }
    if ((i + x) % 4 == 0) {
      diary.note(2, {trip});
    } else {
      diary.note(3, {trip});
      if (x % 3 == 0) continue;
      diary.note(4, {trip});
    }
    diary.value(i);
  }
  diary.note(5);
}

TEST_CASE("For takes its step after Continue too") { check_diaries<ForContinue>(for_continue); }

template <class S>
struct ForDown : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{129};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Int x = Int(Uint(in[gl_GlobalInvocationID.x])) % 40;
    auto sum = var(0);
    For (auto i = var(x), i > -5, i -= 3) {
      If (i < 0) {
        diary.note(1);
        Continue;
      }
      Else If (i % 2 == 0) { sum += i; }
      Else If (sum > 60) {
        diary.note(2);
        Break;
      }
      diary.note(3);
    }
    diary.value(Uint(sum));
  }
};

void for_down(uint32_t word, LaneDiary& diary) {
  const int x = static_cast<int>(word) % 40;
  int sum = 0;
  uint32_t trip = 0;
  for (int i = x; i > -5; i -= 3, ++trip) {
    if (i < 0) {
      diary.note(1, {trip});
      continue;
    } else if (i % 2 == 0) {
      sum += i;
    } else if (sum > 60) {
      diary.note(2, {trip});
      break;
    }
    diary.note(3, {trip});
  }
  diary.value(static_cast<uint32_t>(sum));
}

TEST_CASE("Break and Continue in an Else If chain") { check_diaries<ForDown>(for_down); }

template <class S>
struct NestedLoops : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{70};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    auto n = var(x % 6u);
    While (n > 0u) {
      diary.note(1);
      For (auto i = var(0u), i < n, ++i) {
        If ((x + i) % 3u == 0u) {
          diary.note(2);
          If (x % 7u == 0u) Break;
        }
        Else {
          If (n == 3u) Continue;
          diary.note(3);
        }
        diary.note(4);
      }
      diary.note(5);
      If (x % 11u == n) {
        n -= 1u;
        If (n > 1u) n -= 1u;
        Continue;
      }
      n -= 1u;
      diary.note(6);
    }
    diary.note(7);
  }
};

void nested_loops(uint32_t x, LaneDiary& diary) {
  uint32_t n = x % 6;
  for (uint32_t trip = 0; n > 0; ++trip) {
    diary.note(1, {trip});
    for (uint32_t i = 0; i < n; ++i) {
      if ((x + i) % 3 == 0) {
        diary.note(2, {trip, i});
        if (x % 7 == 0) break;
      } else {
        if (n == 3) continue;
        diary.note(3, {trip, i});
      }
      diary.note(4, {trip, i});
    }
    diary.note(5, {trip});
    if (x % 11 == n) {
      n -= 1;
      if (n > 1) n -= 1;
      continue;
    }
    n -= 1;
    diary.note(6, {trip});
  }
  diary.note(7);
}

TEST_CASE("an inner loop's Break and Continue are its own") {
  check_diaries<NestedLoops>(nested_loops);
}

template <class S>
struct ThreeLoops : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{37};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    For (auto i = var(0u), i < 3u, ++i) {
      For (auto j = var(i), j < 3u, ++j) {
        For (auto k = var(0u), k < x % 4u, ++k) {
          If ((i + j + k + x) % 5u == 0u) Break;
          If ((i * j + k) % 3u == 2u) Continue;
          If (x % 17u == 3u + i + k) {
            diary.note(1);
            Return;
          }
          diary.note(2);
        }
        If (j == x % 3u) {
          If (i == 1u) Break;
          Continue;
        }
        diary.note(3);
      }
      diary.note(4);
    }
    diary.note(5);
  }
};

void three_loops(uint32_t x, LaneDiary& diary) {
  for (uint32_t i = 0; i < 3; ++i) {
    for (uint32_t j = i; j < 3; ++j) {
      for (uint32_t k = 0; k < x % 4; ++k) {
        if ((i + j + k + x) % 5 == 0) break;
        if ((i * j + k) % 3 == 2) continue;
        if (x % 17 == 3 + i + k) {
          diary.note(1, {i, j, k});
          return;
        }
        diary.note(2, {i, j, k});
      }
      if (j == x % 3) {
        if (i == 1) break;
        continue;
      }
      diary.note(3, {i, j});
    }
    diary.note(4, {i});
  }
  diary.note(5);
}

TEST_CASE("three loops with Break, Continue and Return") { check_diaries<ThreeLoops>(three_loops); }

template <class S>
struct BreakDeepInside : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    For (auto i = var(0u), i < 6u, ++i) {
      If (x % 2u == 0u) {
        If (i > x % 5u) {
          If (x % 3u == 0u) {
            diary.note(1);
            Break;
            diary.note(90);
          }
          Else {
            diary.note(2);
            Continue;
            diary.note(91);
          }
          diary.note(92);
        }
        Else { diary.note(3); }
        diary.note(4);
      }
      Else {
        If (i == x % 7u) Break;
        diary.note(5);
      }
      diary.note(6);
    }
    diary.note(7);
  }
};

void break_deep_inside(uint32_t x, LaneDiary& diary) {
  for (uint32_t i = 0; i < 6; ++i) {
    if (x % 2 == 0) {
      if (i > x % 5) {
        if (x % 3 == 0) {
          diary.note(1, {i});
          break;
        } else {
          diary.note(2, {i});
          continue;
        }
      } else {
        diary.note(3, {i});
      }
      diary.note(4, {i});
    } else {
      if (i == x % 7) break;
      diary.note(5, {i});
    }
    diary.note(6, {i});
  }
  diary.note(7);
}

TEST_CASE("Break and Continue deep inside selections leave all of them") {
  check_diaries<BreakDeepInside>(break_deep_inside);
}

template <class S>
struct LoopsInBranches : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{129};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    If (x % 3u == 0u) {
      For (auto i = var(0u), i < x % 5u, ++i) {
        diary.note(1);
        If (i == 2u) Break;
      }
      diary.note(2);
    }
    Else If (x % 3u == 1u) {
      auto n = var(x % 8u);
      While (n != 0u) {
        n &= n - 1u;
        diary.note(3);
      }
      diary.note(4);
    }
    Else {
      For (auto i = var(0u), i < 4u, ++i) {
        If (i % 2u == x % 2u) Continue;
        diary.note(5);
      }
    }
    diary.note(6);
  }
};

void loops_in_branches(uint32_t x, LaneDiary& diary) {
  if (x % 3 == 0) {
    for (uint32_t i = 0; i < x % 5; ++i) {
      diary.note(1, {i});
      if (i == 2) break;
    }
    diary.note(2);
  } else if (x % 3 == 1) {
    uint32_t n = x % 8;
    for (uint32_t trip = 0; n != 0; ++trip) {
      n &= n - 1;
      diary.note(3, {trip});
    }
    diary.note(4);
  } else {
    for (uint32_t i = 0; i < 4; ++i) {
      if (i % 2 == x % 2) continue;
      diary.note(5, {i});
    }
  }
  diary.note(6);
}

TEST_CASE("loops inside branches keep to the branch's lanes") {
  check_diaries<LoopsInBranches>(loops_in_branches);
}

template <class S>
struct EmptyLoops : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{37};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    const Uint x = in[gl_GlobalInvocationID.x];
    While (false) diary.note(90);
    For (auto i = var(0u), i > x, ++i) {
      diary.note(91);
    }
    diary.note(1);
    For (auto i = var(5u), i < x % 8u, ++i) {
      diary.note(2);
    }
    diary.note(3);
    While (true) {
      diary.note(4);
      Break;
      diary.note(92);
    }
    diary.note(5);
    If (x > 5000u) {
      While (true) diary.note(93);
    }
    diary.note(6);
  }
};

void empty_loops(uint32_t x, LaneDiary& diary) {
  diary.note(1);
  for (uint32_t i = 5; i < x % 8; ++i) diary.note(2, {i});
  diary.note(3);
  diary.note(4);
  diary.note(5);
  diary.note(6);
}

TEST_CASE("loops that no lane enters, or that all leave at once") {
  check_diaries<EmptyLoops>(empty_loops);
}

template <class S>
struct Euclid : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{150};
  Buffer<const uint> in;
  Buffer<uint> pages;
  Diary<S> diary{*this, pages};

  void main() {
    auto a = var(in[gl_GlobalInvocationID.x]);
    auto b = var(a % 36u + 1u);
    auto trips = var(0u);
    While ((a != b) & (a != 0u)) {
      If (a > b) {
        a -= b;
      }
      Else { b -= a; }
      ++trips;
      If (trips > 30u) Return;
    }
    diary.note(1);
    diary.value(a);
    diary.value(trips);
  }
};

void euclid(uint32_t a, LaneDiary& diary) {
  uint32_t b = a % 36 + 1, trips = 0;
  while (a != b && a != 0) {
    if (a > b) {
      a -= b;
    } else {
      b -= a;
    }
    if (++trips > 30) return;
  }
  diary.note(1);
  diary.value(a);
  diary.value(trips);
}

TEST_CASE("a loop that lanes leave by its test or by Return") { check_diaries<Euclid>(euclid); }

}  // namespace
