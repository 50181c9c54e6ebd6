#include "judgement/allowance.hpp"

#include <vector>

#include <catch2/catch.hpp>

#include "capture/job/replay.hpp"
#include "judgement/made_job.hpp"

/// \file
/// What is the same as a run's own results.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("floats are the same within their bounds, and integers by their bits") {
  std::vector<float> in(16), sums(16);
  for (std::size_t k = 0; k < 16; ++k) in[k] = 0.1f * static_cast<float>(k + 1);
  const job::Replay replay(job_of("r[i] = subgroupAdd(x[i]);", in, sums, 16));
  const auto rerun = judgement::rerun_of(replay);
  const judgement::Allowance allowance(*rerun);
  for (std::size_t k = 0; k < 16; ++k) {
    // From some lane on.
    for (std::size_t n = 0; n < 16; ++n) sums[k] += in[(n + k) % 16];
  }
  CHECK_FALSE(allowance.first_difference(1, bytes_of(sums)).has_value());
  sums[5] += 0.1f;
  CHECK(allowance.first_difference(1, bytes_of(sums)) == 20u);

  std::vector<std::uint32_t> numbers(8);
  for (std::uint32_t k = 0; k < 8; ++k) numbers[k] = k;
  const job::Replay copy(job_of("r[i] = x[i];", numbers, numbers, 8));
  const auto again = judgement::rerun_of(copy);
  const judgement::Allowance exact(*again);
  CHECK_FALSE(exact.first_difference(1, bytes_of(numbers)).has_value());
  numbers[3] ^= 1;
  CHECK(exact.first_difference(1, bytes_of(numbers)) == 12u);
}
