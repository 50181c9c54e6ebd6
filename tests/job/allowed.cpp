#include <lockstep/job/allowed.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "job/captures.hpp"

/// \file
/// Unit tests of a user, who has captured a job and keeps its folder.

using namespace lockstep;

TEST_CASE("outputs of a captured job are matched") {
  const test::Directory directory;
  test::unpacked("swiftshader", directory);
  const auto job = oracle::Job::load((directory.path() / "subgroupAdd.u32").string());
  CHECK(job.name() == "subgroupAdd.u32");
  CHECK_THAT(job.outputs(), IsAllowed(job));
  CHECK(oracle::judge(job, job.outputs()).equal == 384);

  std::ostringstream text;
  text << job.outputs();
  CHECK(text.str() == "1536 bytes in 1 buffer");
  // As a program that reads its buffers has them.
  const std::vector<std::vector<std::byte>> plain = job.outputs();
  CHECK_THAT(plain, IsAllowed(job));

  oracle::Outputs others = job.outputs();
  others[1][4 * 70] ^= std::byte{1};
  CHECK_FALSE(IsAllowed(job).match(others));
  const oracle::Judgement wrong = oracle::judge(job, others);
  CHECK(wrong.wrong == 1);
  CHECK(wrong.equal == 383);
  CAPTURE(wrong.text);
  CHECK(wrong.text.starts_with("Out [70] is "));
  CHECK(wrong.text.find(", subgroup 1, lane 2 in ") != std::string::npos);

  const AllowedMatcher matcher = IsAllowed(job);
  std::ostringstream told, described;
  CHECK_FALSE(matcher.MatchAndExplain(others, &told));
  CHECK(told.str() == wrong.text);
  matcher.DescribeTo(&described);
  CHECK(described.str() == "is allowed for the job subgroupAdd.u32");
  CHECK(matcher.toString().find(wrong.text) != std::string::npos);
}
