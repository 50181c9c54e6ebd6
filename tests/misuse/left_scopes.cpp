#include "misuse/expect_error.hpp"

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using namespace lockstep::test;

template <class S>
struct ReturnsInIf : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i > 3u) {
      return;
    }
    out[i] = 1u;
  }
};

TEST_CASE("If (c) { return; } => a lower-case return, break or goto leaves this If, Else or Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReturnsInIf>(ReturnsInIf<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct ReturnsInElse : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 6;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i > 3u) {
      out[i] = 1u;
    }
    Else { return; }
  }
};

TEST_CASE(
    "If (c) { ... } Else { return; } => a lower-case return, break or goto leaves this If, Else or "
    "Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReturnsInElse>(ReturnsInElse<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct BreaksInIf : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    for (int k = 0; k < 3; ++k) {
      If (i > 3u) {
        break;
      }
      out[i] = 1u;
    }
  }
};

TEST_CASE(
    "for (...) { If (c) { break; } } => a lower-case return, break or goto leaves this If, Else or "
    "Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<BreaksInIf>(BreaksInIf<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct JumpsOutOfIf : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i > 3u) {
      goto end;
    }
    out[i] = 1u;
  end:
    out[i] += 1u;
  }
};

TEST_CASE(
    "If (c) { goto end; } => a lower-case return, break or goto leaves this If, Else or Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<JumpsOutOfIf>(JumpsOutOfIf<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct ReturnsValueInIf : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 2;
  Uint capped(const Uint& x) {
    If (x > 3u) {
      return Uint(3u);
    }
    return x;
  }

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = capped(i);
  }
};

TEST_CASE(
    "in a function: If (c) { return value; } => a lower-case return, break or goto leaves this If, "
    "Else or Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReturnsValueInIf>(ReturnsValueInIf<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct CoReturnsInIf : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i > 3u) {
      co_return;
    }
    co_await barrier();
    out[i] = 1u;
  }
};

TEST_CASE(
    "If (c) { co_return; } => a lower-case return, break or goto leaves this If, Else or Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<CoReturnsInIf>(CoReturnsInIf<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct BreaksInWhile : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto k = var(0u);
    While (k < i) {
      k += 1u;
      if (gl_NumSubgroups == 1u) break;
    }
    out[i] = k;
  }
};

TEST_CASE("While (c) { break; } => a lower-case return, break or goto leaves this loop") {
  std::vector<std::uint32_t> out(8);
  expect_error<BreaksInWhile>(BreaksInWhile<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct ReturnsInFor : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    For (auto k = var(0u), k < i, k += 1u) {
      return;
    }
    out[i] = 1u;
  }
};

TEST_CASE("For (...) { return; } => a lower-case return, break or goto leaves this loop") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReturnsInFor>(ReturnsInFor<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct BreaksInDo : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto k = var(0u);
    Do {
      k += 1u;
      if (gl_NumSubgroups == 1u) break;
      LoopWhile(k < i);
    }
    out[i] = k;
  }
};

TEST_CASE("Do { break; LoopWhile (c); } => a lower-case return, break or goto leaves this loop") {
  std::vector<std::uint32_t> out(8);
  expect_error<BreaksInDo>(BreaksInDo<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct BreaksInCase : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    Switch (i) {
      Case(1, 2) { break; }
      Default { out[i] = 1u; }
    }
  }
};

TEST_CASE(
    "Switch (x) { Case (1) { break; } } => a lower-case return, break or goto leaves this If, Else "
    "or Case") {
  std::vector<std::uint32_t> out(8);
  expect_error<BreaksInCase>(BreaksInCase<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct ReturnsInSwitch : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    Switch (i) {
      Case(1, 2) { out[i] = 1u; }
      return;
    }
  }
};

TEST_CASE("Switch (x) { return; } => a lower-case return, break or goto leaves this Switch") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReturnsInSwitch>(ReturnsInSwitch<FastMachine<8>>::wrong_line, out);
}

}  // namespace
