#include <cstdint>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

#include "misuse/expect_error.hpp"

/// \file
/// Mistakes of the host: arguments of a dispatch.

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using namespace lockstep::test;

template <class S>
struct Add : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<const uint> in;
  Buffer<uint> out;
  uint number = 0;
  int more = 0;
  float scale = 1.0f;
  std::uint8_t small = 0;
  unsigned long long large = 0;  // not std::uint64_t everywhere
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = in[i] + number + uint(more) + uint(scale) + uint(small) + uint(large);
  }
};

/// Every way to run Add throws an Error that names it and says what the test case's name promises.
template <class... A>
void expect_host_error(A&&... arguments) {
  const Device device{.subgroup_size = 8};
  const Catch::Matchers::StdString::ContainsMatcher promised = Catch::Contains(promised_error());
  CHECK_THROWS_WITH((device.dispatch<Add, 8>({1}, arguments...)),
                    promised && Catch::Contains("kernel Add"));
  CHECK_THROWS_WITH((device.dispatch<Add, 4, 16>(Convergence{}, {1}, arguments...)), promised);
  CHECK_THROWS_WITH((device.dispatch_checked<Add, 8>({1}, arguments...)), promised);
}

TEST_CASE("device.dispatch<Add>({1}, in, out, -1); => Error: argument 3 of kernel Add is -1") {
  std::vector<std::uint32_t> in(8), out(8);
  expect_host_error(in, out, -1);
}

TEST_CASE(
    "device.dispatch<Add>({1}, in, out, bytes.size()); where it has more than 32 bits => Error: "
    "argument 3 of kernel Add is 4294967296, which the kernel's member, a uint of 32 bits, cannot "
    "hold") {
  std::vector<std::uint32_t> in(8), out(8);
  expect_host_error(in, out, std::size_t{1} << 32);
}

TEST_CASE("an integer that a signed or smaller member cannot hold => Error: argument") {
  std::vector<std::uint32_t> in(8), out(8);
  expect_host_error(in, out, 1u, 0x80000000u);
  expect_host_error(in, out, 1u, std::int64_t{-0x80000001ll});
  expect_host_error(in, out, 1u, 0, 1.0f, 256);
  expect_host_error(in, out, 1u, 0, 1.0f, -1);
  expect_host_error(in, out, 1u, 0, 1.0f, 1, -1);
}

TEST_CASE(
    "int, size_t or double for a uint, an int or a float that holds the value => no error: as in "
    "C++, numbers are converted") {
  std::vector<std::uint32_t> in(8, 1), out(8);
  const Device device{.subgroup_size = 8};
  const auto run = [&](const auto&... arguments) {
    device.dispatch<Add, 8>({1}, in, out, arguments...);
    CHECK(out == std::vector<std::uint32_t>(8, 111));
    out.assign(8, 0);
    device.dispatch<Add, 8>(Convergence{}, {1}, in, out, arguments...);
    CHECK(out == std::vector<std::uint32_t>(8, 111));
  };
  run(100, std::size_t{7}, 2.5, 1);
  run(std::int64_t{110}, -2, 2, false);
  run(std::uint8_t{100}, short{7}, 2u, 1ull);
}

TEST_CASE(
    "device.dispatch<Add>({1}, span.first(8), span.subspan(4)); => Error: arguments 1 and 2 of "
    "kernel Add overlap, but start at different elements, and the kernel writes to argument 2") {
  std::vector<std::uint32_t> data(16);
  const std::span span(data);
  expect_host_error(span.first(8), span.subspan(4));
}

TEST_CASE(
    "device.dispatch<Add>({1}, data, data); => no error: two buffers of one kernel may be the "
    "same, "
    "as in Vulkan") {
  std::vector<std::uint32_t> data{0, 1, 2, 3, 4, 5, 6, 7};
  const std::span span(data);
  Device{.subgroup_size = 8}.dispatch<Add, 8>({1}, data, span, 9u);
  CHECK(data == std::vector<std::uint32_t>{10, 11, 12, 13, 14, 15, 16, 17});
}

template <class S>
struct Difference : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<const uint> left, right;
  Buffer<uint> out;
  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    out[i] = right[i] - left[i];
  }
};

TEST_CASE(
    "device.dispatch<Difference>({1}, span.first(4), span.subspan(1), out); => no error: the "
    "kernel "
    "only reads both") {
  std::vector<std::uint32_t> data{0, 1, 3, 6, 10}, out(4);
  const std::span span(data);
  Device{.subgroup_size = 8}.dispatch<Difference, 8>({1}, span.first(4), span.subspan(1), out);
  CHECK(out == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE(
    "device.dispatch<Difference>({1}, std::vector{...}, ...) as an input => no error: it lives as "
    "long as the dispatch") {
  std::vector<std::uint32_t> out(4);
  Device{.subgroup_size = 8}.dispatch<Difference, 8>({1}, std::vector<std::uint32_t>{1, 2, 3, 4},
                                                     std::vector<std::uint32_t>{2, 4, 6, 8}, out);
  CHECK(out == std::vector<std::uint32_t>{1, 2, 3, 4});
}

// Compilers warn of it, but not under every flag, nor as an error.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"

template <class S>
struct NoCoroutine : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  Barriers main() { out[gl_GlobalInvocationID.x] = 1u; }
};
#pragma GCC diagnostic pop

TEST_CASE(
    "Barriers main() { ... } without co_await and co_return => Error: Barriers main() of kernel "
    "NoCoroutine contains neither co_await nor co_return: end it with co_return;") {
  std::vector<std::uint32_t> out(8);
  const Device device{.subgroup_size = 8};
  const std::string promised = promised_error();
  CHECK_THROWS_WITH((device.dispatch<NoCoroutine, 8>({1}, out)), promised);
  CHECK_THROWS_WITH((device.dispatch<NoCoroutine, 8>(Convergence{}, {1}, out)), promised);
  CHECK_THROWS_WITH((device.dispatch_checked<NoCoroutine, 8>({1}, out)), promised);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
