#include <lockstep/spirv/shader.hpp>

#include "misuse/expect_error.hpp"

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using namespace lockstep::test;

template <class S>
struct WritesUniform : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 5;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto n = uniform(0u);
    If (i > 3u) {
      n = 5u;
    }
    out[i] = n;
  }
};

TEST_CASE(
    "If (c) { n = 5u; } where n is uniform(0u) => a uniform variable is written by lanes 4-7 while "
    "lanes 0-3 are not active") {
  std::vector<std::uint32_t> out(8);
  expect_error<WritesUniform>(WritesUniform<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct CountsUniform : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 7;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto n = uniform(0u);
    auto k = var(0u);
    While (k < i) {
      k += 1u;
      n += 1u;
    }
    out[i] = n;
  }
};

TEST_CASE(
    "While (c) { n += 1u; } where n is uniform(0u) => a uniform variable is written by lanes") {
  std::vector<std::uint32_t> out(8);
  expect_error<CountsUniform>(CountsUniform<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct LosesValues : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 2;
  Uint capped(const Uint& x) {
    FunctionOf(Uint);
    If (x > 3u) ReturnValue(3u);
    return x;
  }

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = capped(i);
  }
};

TEST_CASE(
    "FunctionOf (Uint); ... return value; => a function that starts with FunctionOf ends with "
    "return ReturnValue (value)") {
  std::vector<std::uint32_t> out(8);
  expect_error<LosesValues>(LosesValues<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct ReadsBeyond : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = out[i + 1u];
  }
};

TEST_CASE("data[i] beyond the array => read of element 8 of buffer 0, which has 8") {
  std::vector<std::uint32_t> out(8);
  expect_error<ReadsBeyond>(ReadsBeyond<FastMachine<8>>::wrong_line, out);
}

TEST_CASE(
    "device.dispatch<K>(groups, data); although faults are in the result => read of element 8 of "
    "buffer 0, which has 8") {
  std::vector<std::uint32_t> out(8);
  const Device device{.subgroup_size = 8};
  expect_error<ReadsBeyond>(device, ReadsBeyond<FastMachine<8>>::wrong_line, out);
  const Device counts{.subgroup_size = 8, .faults = Faults::counted};
  CHECK((counts.dispatch<ReadsBeyond, 8>({1}, out).count()) == 1);
}

template <class S>
struct WritesBeyond64 : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = i;
    out[std::uint64_t{1} << 32] = 7u;
  }
};

TEST_CASE(
    "data[n] where n has more than 32 bits => write to element 4294967295 of buffer 0, which has "
    "8") {
  std::vector<std::uint32_t> out(8);
  expect_error<WritesBeyond64>(WritesBeyond64<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct NeverEnds : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 3;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    While (Bool(true)) {
      out[i] += 1u;
    }
  }
};

TEST_CASE("While (true) { } without Break => the loop does not end") {
  std::vector<std::uint32_t> out(8);
  expect_error<NeverEnds>(NeverEnds<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct WaitsApart : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 4;
  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i > 3u) {
      co_await barrier();
    }
    out[i] = 1u;
  }
};

TEST_CASE("If (c) { co_await barrier(); } => lanes 4-7 wait") {
  std::vector<std::uint32_t> out(8);
  expect_error<WaitsApart>(WaitsApart<FastMachine<8>>::wrong_line, out);
}

// When clang optimizes, it does not tell apart what is one call (docs/decisions.md).
#if !defined(__clang__) || !defined(__OPTIMIZE__)
#define LOCKSTEP_TEST_EITHER_BARRIER() \
  if (gl_SubgroupID == 0)              \
    co_await barrier();                \
  else                                 \
    co_await barrier();

template <class S>
struct WaitsInMacro : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  static constexpr int wrong_line = __LINE__ + 1;
  Barriers main() { LOCKSTEP_TEST_EITHER_BARRIER() }
};

TEST_CASE(
    "#define EITHER() if (gl_SubgroupID == 0) co_await barrier(); else co_await barrier(); => "
    "subgroup 1 waits at another one") {
  expect_error<WaitsInMacro>(Device{.subgroup_size = 4}, WaitsInMacro<FastMachine<8>>::wrong_line);
}

template <class S>
struct WaitsInFunction : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  static constexpr int wrong_line = __LINE__ + 1;
  Barriers wait() { co_await barrier(); }

  Barriers main() {
    if (gl_SubgroupID == 0)
      co_await wait();
    else
      co_await wait();
  }
};

TEST_CASE(
    "if (gl_SubgroupID == 0) co_await wait(); else co_await wait(); => subgroup 1 waits at another "
    "one") {
  expect_error<WaitsInFunction>(Device{.subgroup_size = 4},
                                WaitsInFunction<FastMachine<8>>::wrong_line);
}
#endif

template <class S>
struct ForgetsAwait : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 1;
  Barriers wait() { co_await barrier(); }

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
    static_cast<void>(wait());
    co_await barrier();
    out[i] = 1u;
  }
};

TEST_CASE("a function that waits, its result cast to void => without co_await") {
  std::vector<std::uint32_t> out(8);
  expect_error<ForgetsAwait>(ForgetsAwait<FastMachine<8>>::wrong_line, out);
}

template <class S>
struct WaitsWithoutBarriers : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  static constexpr int wrong_line = __LINE__ + 1;
  Barriers wait() { co_await barrier(); }

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    static_cast<void>(wait());
    out[i] = 1u;
  }
};

TEST_CASE("in void main(): a function that waits, its result cast to void => without co_await") {
  std::vector<std::uint32_t> out(8);
  expect_error<WaitsWithoutBarriers>(WaitsWithoutBarriers<FastMachine<8>>::wrong_line, out);
}

TEST_CASE("loops of both front ends end after as many iterations by default") {
  CHECK(Device{}.max_trips == default_max_trips);
  CHECK(Convergence{}.max_trips == default_max_trips);
  CHECK(DispatchSettings{}.max_steps == default_max_trips);
  CHECK(default_max_trips == std::uint64_t{1} << 26);
}

}  // namespace
