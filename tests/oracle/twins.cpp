#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <deque>
#include <span>
#include <string>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "kernels/registry.hpp"
#include "oracle/reference.hpp"
#include "run/judge.hpp"
#include "twins/engine_twin.hpp"

/// \file
/// The kernels' twins: what the engine gives is always among what the oracle allows, and so are results in another
/// order.

namespace {

using namespace lockstep;
using oracle::Allowed;

/// A job after its twin has run for the oracle.
struct Ran {
  kernels::Job job;
  oracle::Reference reference;
};

void run_for_oracle(Ran& ran, int size) {
  for (const kernels::Pass& pass : ran.job.passes) {
    const Module module = Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader);
    DescriptorTable table;
    std::deque<Image> images;
    for (std::uint32_t binding = 0; binding < pass.bindings.size(); ++binding) {
      kernels::Argument& argument = ran.job.arguments[pass.bindings[binding]];
      if (!argument.texels) {
        table.set(0).bind_bytes(binding, twins::bytes_of(argument));
        continue;
      }
      const kernels::Texels& is = *argument.texels;
      images.emplace_back(is.format, is.kind, is.size, twins::bytes_of(argument));
      table.set(0).bind_image(binding, images.back());
    }
    const Pipeline pipeline(module, {.subgroup_size = size});
    pipeline.dispatch(table, {.workgroups = pass.workgroups,
                              .push_constants = pass.push_constants,
                              .reference = &ran.reference});
  }
}

npy::Dtype type_of(const kernels::Argument& argument) {
  constexpr npy::Dtype types[] = {npy::Dtype::uint32, npy::Dtype::int32, npy::Dtype::float32,
                                  npy::Dtype::float16};
  return types[argument.values.index()];
}

/// What is known of an output's elements.
struct Known {
  std::size_t exact = 0, bounded = 0, free = 0;
  double widest = 0;  ///< in units in the last place of the reference
};

Known known_of(const Ran& ran, const kernels::Argument& argument) {
  Known known;
  const auto bytes = twins::bytes_of(argument);
  const bool half = type_of(argument) == npy::Dtype::float16;
  const std::size_t size = half ? 2 : 4;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const Allowed allowed = ran.reference.memory.load(bytes.data() + at, size);
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
void for_each_twin(int size, std::size_t count, F f) {
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    if (!entry.undefined_at(size).empty()) continue;
    const kernels::Job job = entry.make_job(entry.make_input(count, 1), size);
    if (job.passes[0].shader.ends_with(".frag")) continue;
    f(entry, job);
  }
}

TEST_CASE("the engine's results are among those that the oracle allows") {
  std::size_t twins = 0;
  for (const int size : {4, 32}) {
    for_each_twin(size, 300, [&](const kernels::Entry& entry, const kernels::Job& job) {
      INFO(entry.name << ", subgroup size " << size);
      Ran ran{job, {}};
      run_for_oracle(ran, size);
      CHECK(entry.check(job, ran.job) == "");
      for (const kernels::Argument& argument : ran.job.arguments) known_of(ran, argument);
      ++twins;
    });
  }
  CHECK(twins >= 50);
}

TEST_CASE("results of twins at another subgroup size and order are not wrong") {
  for_each_twin(32, 300, [&](const kernels::Entry& entry, const kernels::Job& job) {
    INFO(entry.name);
    Ran ran{job, {}};
    run_for_oracle(ran, 32);
    kernels::Job other = job;
    twins::EngineTwin twin(other, LOCKSTEP_KERNELS_DIR);
    twin.run(other, {.subgroup_size = 32, .threads = 0});
    for (std::size_t k = 0; k < other.arguments.size(); ++k) {
      const auto mine = twins::bytes_of(std::as_const(ran.job).arguments[k]);
      const auto theirs = twins::bytes_of(std::as_const(other).arguments[k]);
      const run::Judgement judged =
          run::judge(type_of(other.arguments[k]), {mine.data(), mine, theirs, {}}, ran.reference);
      INFO(other.arguments[k].name << "[" << judged.worst.index << "] " << judged.worst.reference
                                   << " " << judged.worst.device << " " << judged.worst.reason);
      CHECK(judged.count(run::Verdict::wrong) == 0);
    }
  });
}

// Run with [widths]: the table in docs/oracle.md.
TEST_CASE("widths of the bounds of twins", "[.widths]") {
  for_each_twin(32, 1000, [&](const kernels::Entry& entry, const kernels::Job& job) {
    Ran ran{job, {}};
    run_for_oracle(ran, 32);
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
