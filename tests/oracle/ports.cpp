#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>

#include "oracle/ran.hpp"
#include "registry/registry.hpp"

/// \file
/// The kernels' ports: what the engine gives is always among what the oracle allows, and so are results in another
/// order.

namespace {

using namespace lockstep;
using oracle::Allowed;
using oracle_test::check_allowed;
using oracle_test::Ran;
using oracle_test::run_for_oracle;
using oracle_test::type_of;

/// What is known of an output's elements.
struct Known {
  std::size_t exact = 0, bounded = 0, free = 0;
  double widest = 0;  ///< in units in the last place of the reference
};

Known known_of(const Ran& ran, const kernels::Argument& argument) {
  Known known;
  const auto bytes = ports::bytes_of(argument);
  const bool half = type_of(argument) == npy::Dtype::float16;
  const std::size_t size = half ? 2 : 4;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const Allowed allowed = ran.bounds.memory.load(bytes.data() + at, size);
    if (allowed.kind == Allowed::Kind::exact) {
      ++known.exact;
    } else if (allowed.kind != Allowed::Kind::within) {
      ++known.free;
    } else {
      ++known.bounded;
      if (type_of(argument) != npy::Dtype::float32 && !half) continue;
      std::uint32_t bits = 0;
      std::memcpy(&bits, bytes.data() + at, size);
      const oracle::Format& format = half ? oracle::float16 : oracle::float32;
      const double value = oracle::from_bits(bits, format);
      INFO(argument.name << "[" << at / size << "] = " << value << ", [" << allowed.values.low
                         << ", " << allowed.values.high << "]");
      REQUIRE(allowed.values.contains(value));
      known.widest = std::max(
          known.widest, (allowed.values.high - allowed.values.low) / oracle::ulp(value, format));
    }
  }
  return known;
}

template <class F>
void for_each_port(int size, std::size_t count, F f) {
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    if (!entry.undefined_at(size).empty()) continue;
    const kernels::KernelCase job = entry.make_case(entry.make_input(count, 1), size);
    if (job.passes[0].shader.ends_with(".frag")) continue;
    f(entry, job);
  }
}

TEST_CASE("the engine's results are among those that the oracle allows") {
  std::size_t ports = 0;
  for (const int size : {4, 32}) {
    for_each_port(size, 300, [&](const kernels::Entry& entry, const kernels::KernelCase& job) {
      INFO(entry.name << ", subgroup size " << size);
      const Ran ran = run_for_oracle(job, size);
      CHECK(entry.verify(job, ran.job) == "");
      for (const kernels::Argument& argument : ran.job.arguments) known_of(ran, argument);
      ++ports;
    });
  }
  CHECK(ports >= 50);
}

TEST_CASE("results of ports at another subgroup size and order are not wrong") {
  for_each_port(32, 300, [&](const kernels::Entry& entry, const kernels::KernelCase& job) {
    INFO(entry.name);
    const Ran ran = run_for_oracle(job, 32);
    kernels::KernelCase other = job;
    ports::EnginePort port(other, LOCKSTEP_KERNELS_DIR);
    port.run(other, {.subgroup_size = 32, .threads = 0});
    check_allowed(ran, other);
  });
}

// Run with [widths]: the table in docs/reference/oracle.md.
TEST_CASE("widths of the bounds of ports", "[.widths]") {
  for_each_port(32, 1000, [&](const kernels::Entry& entry, const kernels::KernelCase& job) {
    const Ran ran = run_for_oracle(job, 32);
    for (const kernels::Argument& argument : ran.job.arguments) {
      if (argument.role != kernels::Role::output) continue;
      const Known known = known_of(ran, argument);
      std::printf("%-20s %-12s exact %6zu  bounded %6zu (at most %.1f ULP wide)  free %6zu\n",
                  std::string(entry.name).c_str(), argument.name.c_str(), known.exact,
                  known.bounded, known.widest, known.free);
    }
  });
}

}  // namespace
