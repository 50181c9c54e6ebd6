#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "capture/job/job.hpp"
#include "capture/job/replay.hpp"
#include "job/captures.hpp"
#include "judgement/judge.hpp"

// Products that an NVIDIA H100 computed: D = A * B + C, and C once more, for each of the types and shapes that it has. They
// are tests/data/cooperative_matrices/*.spvasm, on random numbers.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;

const std::filesystem::path archive =
    LOCKSTEP_SOURCE_DIR "/tests/data/cooperative_matrices/nvidia-h100.tar.gz";

/// The buffer of D.
const std::size_t result = 3;

}  // namespace

TEST_CASE("an H100's products of cooperative matrices are right") {
  const Directory directory;
  std::size_t judged = 0;
  for (const std::filesystem::path& folder : unpacked_archive(archive, directory)) {
    const job::Replay replay(job::read(folder));
    const auto judgement = judgement::judge(replay);
    const bool integers = folder.filename() == "s8" || folder.filename() == "u8";
    CAPTURE(folder.filename());
    CHECK(judgement.count(Verdict::wrong) == 0);
    CHECK(judgement.count(Verdict::open) == 0);
    CHECK(judgement.count(Verdict::undefined) == 0);
    CHECK((judgement.count(Verdict::allowed) == 0) == integers);
    ++judged;
  }
  CHECK(judged == 6);
}

TEST_CASE("wrong elements of products of cooperative matrices are noticed") {
  const Directory directory;
  for (const std::filesystem::path& folder : unpacked_archive(archive, directory)) {
    CAPTURE(folder.filename());
    job::Job captured = job::read(folder);
    auto& output = captured.bindings.at(result).output;
    // The elements of two neighbours: such as with a wrong stride or lane.
    const std::size_t size = folder.filename().string().starts_with("f16_f32") ? 4
                             : folder.filename().string().starts_with("f16")   ? 2
                                                                               : 4;
    std::swap_ranges(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(size),
                     output.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(judgement::judge(job::Replay(captured)).count(Verdict::wrong) == 2);
  }
}
