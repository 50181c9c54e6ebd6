#include "judgement/judge.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

#include "judgement/made_job.hpp"

/// \file
/// Judgements of jobs whose results plain loops make, as devices might.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;

judgement::Judgement judged(job::Job made, const judgement::Options& options = {}) {
  return judgement::judge(job::Replay(std::move(made)), options);
}

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<std::uint32_t>(k * k % 23);
  return all;
}
/// Sums within subgroups of a size.
std::vector<std::uint32_t> sums(const std::vector<std::uint32_t>& in, std::size_t size) {
  std::vector<std::uint32_t> out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t n = k / size * size; n < k / size * size + size; ++n) out[k] += in[n];
  }
  return out;
}

}  // namespace

TEST_CASE("right sums are equal, and one wrong sum is found with its lane") {
  const auto in = numbers(32);
  auto out = sums(in, 8);
  const std::string body = "r[i] = subgroupAdd(x[i]);";
  CHECK(judged(job_of(body, in, out, 8)).count(Verdict::equal) == 32);
  out[19] ^= 4;
  const judgement::Judgement wrong = judged(job_of(body, in, out, 8));
  CHECK(wrong.count(Verdict::wrong) == 1);
  REQUIRE(wrong.buffers.size() == 1);
  REQUIRE(wrong.buffers[0].result.first.size() == 1);
  CHECK(wrong.buffers[0].result.first[0].index == 19);
  REQUIRE(wrong.buffers[0].writers.size() == 1);
  REQUIRE(wrong.buffers[0].writers[0].has_value());
  CHECK(wrong.buffers[0].writers[0]->subgroup == 2);
  CHECK(wrong.buffers[0].writers[0]->lane == 3);
  CHECK_FALSE(wrong.explanation.has_value());
}

TEST_CASE("nothing else is tried for a shader that knows no subgroups, races or atomics") {
  const auto in = numbers(32);
  auto out = in;
  for (std::uint32_t& number : out) number *= 2;
  const std::string body = "r[i] = 2 * x[i];";
  CHECK(judged(job_of(body, in, out, 8)).count(Verdict::equal) == 32);
  out[7] ^= 1;
  const judgement::Judgement plain = judged(job_of(body, in, out, 8));
  CHECK(plain.count(Verdict::wrong) == 1);
  CHECK_FALSE(plain.tried.has_value());
  CHECK(judged(job_of("r[i] = subgroupMax(2 * x[i]);", in, out, 1)).tried.has_value());
}

TEST_CASE("results of another subgroup size are wrong, and that size is named") {
  const auto in = numbers(32);
  const judgement::Judgement other =
      judged(job_of("r[i] = subgroupAdd(x[i]);", in, sums(in, 16), 8));
  CHECK(other.count(Verdict::wrong) > 0);
  REQUIRE(other.explanation.has_value());
  CHECK_FALSE(other.explanation->same_device);
  CHECK(other.explanation->text == "--subgroup-size 16");
}

TEST_CASE("a size is named where float sums have its bounds, but the bits of no run") {
  std::vector<float> in(32), out(32);
  for (std::size_t k = 0; k < 32; ++k) in[k] = 0.1f + static_cast<float>(k * k % 23);
  // Each subgroup of 16 from the last lane to the first, in steps of 5.
  for (std::size_t k = 0; k < 32; ++k) {
    for (std::size_t n = 0; n < 16; ++n) out[k] += in[k / 16 * 16 + 15 - 5 * n % 16];
  }
  const std::string body = "r[i] = subgroupAdd(x[i]);";
  const judgement::Judgement other = judged(job_of(body, in, out, 8));
  CHECK(other.count(Verdict::wrong) > 0);
  REQUIRE(other.explanation.has_value());
  CHECK_FALSE(other.explanation->same_device);
  CHECK(other.explanation->text == "--subgroup-size 16");
  CHECK(other.explanation->on == std::vector<std::string>{"subgroup-size"});
}

TEST_CASE("a size at which the results are undefined explains nothing") {
  std::vector<float> in(32), out(32);
  for (std::size_t k = 0; k < 32; ++k) in[k] = static_cast<float>(k + 1);
  for (std::size_t k = 0; k < 32; ++k) out[k] = in[k ^ 4];
  out[10] = 0.5f;
  // In subgroups of 4 that lane is outside.
  const judgement::Judgement other =
      judged(job_of("r[i] = subgroupShuffleXor(x[i], 4u);", in, out, 8,
                    "#extension GL_KHR_shader_subgroup_shuffle : require\n"));
  CHECK(other.count(Verdict::wrong) == 1);
  CHECK_FALSE(other.explanation.has_value());
}

TEST_CASE("captured lanes decide which invocations are added") {
  // A subgroup of 8 has every fourth invocation.
  const auto in = numbers(32);
  std::vector<std::uint32_t> out(32), lanes(32);
  for (std::uint32_t k = 0; k < 32; ++k) {
    lanes[k % 4 * 8 + k / 4] = k;
    for (std::uint32_t n = k % 4; n < 32; n += 4) out[k] += in[n];
  }
  job::Job made = job_of("r[i] = subgroupAdd(x[i]);", in, out, 8);
  CHECK(judged(made).count(Verdict::wrong) > 0);
  made.lanes = lanes;
  CHECK(judged(made).count(Verdict::equal) == 32);
}

TEST_CASE("a float sum in any order is allowed or equal, one without a term is wrong") {
  std::vector<float> in(16), fold(16), odd(16), lost(16);
  for (std::size_t k = 0; k < 16; ++k) in[k] = 0.1f * static_cast<float>(k + 1);
  for (std::size_t k = 0; k < 16; ++k) {
    for (const std::size_t n :
         {15u, 3u, 8u, 0u, 12u, 5u, 1u, 14u, 2u, 7u, 9u, 11u, 4u, 13u, 6u, 10u})
      odd[k] += in[n];
    for (std::size_t n = 0; n < 16; ++n) fold[k] += in[n];
    lost[k] = fold[k] - in[0];
  }
  const std::string body = "r[i] = subgroupAdd(x[i]);";
  const judgement::Judgement known = judged(job_of(body, in, fold, 16));
  CHECK(known.count(Verdict::equal) == 16);
  const judgement::Judgement other = judged(job_of(body, in, odd, 16));
  CHECK(other.count(Verdict::equal) + other.count(Verdict::allowed) == 16);
  CHECK(judged(job_of(body, in, lost, 16)).count(Verdict::wrong) == 16);
  // Held to another order, neither passes.
  if (fold != odd) {
    judgement::Options strict;
    strict.order = FloatOrder::left_fold;
    CHECK(judged(job_of(body, in, fold, 16), strict).count(Verdict::equal) == 16);
    CHECK(judged(job_of(body, in, odd, 16), strict).count(Verdict::wrong) == 16);
  }
}

TEST_CASE("lanes that a device keeps apart where nothing promises more are legal") {
  const std::string body =
      "if (i != 7u) {\n  if (x[i] % 2u == 0u) r[i] = 1u; else r[i] = 2u;\n"
      "  r[i] += 10u * subgroupBallotBitCount(subgroupBallot(true));\n}";
  std::vector<std::uint32_t> in(8), apart(8), joined(8), impossible(8);
  for (std::uint32_t k = 0; k < 7; ++k) {
    in[k] = k;
    const std::uint32_t side = k % 2 == 0 ? 1u : 2u;
    apart[k] = side + (k % 2 == 0 ? 40 : 30);
    joined[k] = side + 70;
    impossible[k] = side + 50;
  }
  CHECK(judged(job_of(body, in, joined, 8)).count(Verdict::equal) == 8);
  const judgement::Judgement legal = judged(job_of(body, in, apart, 8));
  CHECK(legal.count(Verdict::wrong) == 0);
  REQUIRE(legal.explanation.has_value());
  CHECK(legal.explanation->same_device);
  CHECK(legal.explanation->on == std::vector<std::string>{"convergence"});
  CHECK(judged(job_of(body, in, impossible, 8)).count(Verdict::wrong) == 7);
}

TEST_CASE("lanes that fall through may stay apart, also under maximal reconvergence") {
  const std::string header = "#extension GL_EXT_maximal_reconvergence : require\n";
  const std::string body =
      "switch (x[i]) {\ncase 0u: r[i] = 100u;\n"
      "case 1u: r[i] += subgroupBallotBitCount(subgroupBallot(true)); break;\n"
      "default: r[i] = 7u;\n}";
  std::vector<std::uint32_t> in(24), joined(24), apart(24), impossible(24);
  for (std::uint32_t k = 0; k < 24; ++k) {
    in[k] = k % 3;
    // Of 8 lanes from k / 8 * 8 on, so many have the same number, or one of the two that meet.
    std::uint32_t same = 0, either = 0;
    for (std::uint32_t n = k / 8 * 8; n < k / 8 * 8 + 8; ++n) {
      same += n % 3 == k % 3 ? 1 : 0;
      either += n % 3 < 2 ? 1 : 0;
    }
    const std::uint32_t before = k % 3 == 0 ? 100 : 0;
    joined[k] = k % 3 == 2 ? 7 : before + either;
    apart[k] = k % 3 == 2 ? 7 : before + same;
    impossible[k] = k % 3 == 2 ? 7 : before + either - 1;
  }
  const auto made = [&](const std::vector<std::uint32_t>& out) {
    job::Job job = job_of(body, in, out, 8, header, " [[maximally_reconverges]]");
    return judged(std::move(job));
  };
  CHECK(made(joined).outcome() == std::string("right"));
  const judgement::Judgement legal = made(apart);
  CHECK(legal.outcome() == std::string("right"));
  REQUIRE(legal.explanation.has_value());
  CHECK(legal.explanation->same_device);
  CHECK(legal.explanation->on == std::vector<std::string>{"fallthrough"});
  CHECK(legal.explanation->text.find("--choose ") != std::string::npos);
  // Every combination was tried, so this is wrong.
  const judgement::Judgement wrong = made(impossible);
  CHECK(wrong.count(Verdict::wrong) == 16);
  REQUIRE(wrong.tried.has_value());
  CHECK(wrong.tried->exhausted);
  // Some lanes apart in one line and joined in the other is one combination for all subgroups, not one for each.
  std::vector<std::uint32_t> mixed = apart;
  for (std::size_t k = 0; k < 8; ++k) mixed[k] = joined[k];
  CHECK(made(mixed).count(Verdict::wrong) > 0);
}

TEST_CASE("lanes that fall through may be apart or not under weaker rules") {
  const std::string cases =
      "uint n = 0u;\nif (i != 7u) {\nswitch (x[i]) {\ncase 0u: n = 100u;\n"
      "case 1u: n += subgroupBallotBitCount(subgroupBallot(true)); break;\n"
      "case 2u: case 3u: n = 200u + subgroupBallotBitCount(subgroupBallot(true)); break;\n"
      "default: n = 9u;\n}\n}\nr[i] = n;";
  const std::vector<std::uint32_t> in{0, 0, 1, 2, 3, 3, 4, 0};
  const std::vector<std::uint32_t> joined{103, 103, 3, 203, 203, 203, 9, 0},
      apart{102, 102, 1, 203, 203, 203, 9, 0}, grouped{103, 103, 3, 201, 202, 202, 9, 0},
      both{102, 102, 1, 201, 202, 202, 9, 0};
  // One lane is missing; one side of a fall joins the other, which does not join it; a lane too many.
  const std::vector<std::uint32_t> lost{102, 102, 2, 203, 203, 203, 9, 0},
      torn{102, 102, 3, 203, 203, 203, 9, 0}, more{104, 104, 4, 203, 203, 203, 9, 0},
      other{102, 102, 1, 202, 202, 202, 9, 0};
  const std::pair<std::string, std::string> rules[] = {
      {"", ""},
      {"#extension GL_EXT_subgroup_uniform_control_flow : require\n",
       " [[subgroup_uniform_control_flow]]"},
      {"#extension GL_EXT_maximal_reconvergence : require\n", " [[maximally_reconverges]]"}};
  for (const auto& [extension, attribute] : rules) {
    CAPTURE(attribute);
    const auto made = [&](const std::vector<std::uint32_t>& out) {
      return judged(job_of(cases, in, out, 8, extension, attribute));
    };
    for (const auto& out : {joined, apart, grouped, both}) {
      const judgement::Judgement legal = made(out);
      CHECK(legal.outcome() == std::string("right"));
      CHECK(legal.count(Verdict::equal) == 8);
    }
    CHECK(made(apart).explanation.value().on == std::vector<std::string>{"fallthrough"});
    CHECK(made(both).explanation.value().on.size() == 2);
    for (const auto& out : {lost, torn, more, other}) {
      const judgement::Judgement wrong = made(out);
      CHECK(wrong.outcome() == std::string("wrong"));
      REQUIRE(wrong.tried.has_value());
      CHECK(wrong.tried->exhausted);
    }
  }
}

TEST_CASE("a result that depends on choices that were not all tried is open, any other is wrong") {
  // 31 lanes part 12 times: more combinations than can be tried.
  const std::string body =
      "if (i == 9u) {\n  r[i] = 3u;\n} else {\n  uint sum = 0u;\n"
      "  for (uint k = 0u; k < 12u; ++k) {\n"
      "    if ((x[i] >> (k % 5u) & 1u) != 0u) sum += 1u;\n    else sum += 2u;\n"
      "    sum += 8u * subgroupBallotBitCount(subgroupBallot(true));\n  }\n  r[i] = sum;\n}";
  std::vector<std::uint32_t> in(32), out(32);
  for (std::uint32_t k = 0; k < 32; ++k) {
    in[k] = k;
    for (std::uint32_t n = 0; n < 12; ++n) out[k] += ((k >> n % 5 & 1) != 0 ? 1 : 2) + 8 * 31;
  }
  out[9] = 3;
  CHECK(judged(job_of(body, in, out, 32)).outcome() == std::string("right"));
  out[5] = 1;  // no combination gives that, which is not known
  out[9] = 4;
  const judgement::Judgement unclear = judged(job_of(body, in, out, 32));
  CHECK(unclear.count(Verdict::wrong) == 1);
  CHECK(unclear.count(Verdict::open) == 1);
  REQUIRE(unclear.tried.has_value());
  CHECK_FALSE(unclear.tried->exhausted);
  REQUIRE(unclear.buffers.at(0).result.first.size() == 2);
  CHECK(unclear.buffers[0].result.first[0].index == 9);
  const std::string& reason = unclear.buffers[0].result.first[1].reason;
  CAPTURE(reason);
  CHECK(reason.find("none of " + std::to_string(unclear.tried->runs) + " runs gives this") !=
        std::string::npos);
}

TEST_CASE("where invocations write one element, another winner is racy and not wrong") {
  std::vector<std::uint32_t> in(32), out(32);
  for (std::uint32_t k = 0; k < 32; ++k) in[k] = k;
  for (std::uint32_t k = 0; k < 8; ++k) out[k] = k;  // of the first of four subgroups
  for (std::uint32_t k = 16; k < 32; ++k) out[k] = k;
  const std::string body = "r[i % 8u] = x[i];\nif (i >= 16u) r[i] = i;";
  const judgement::Judgement racy = judged(job_of(body, in, out, 8));
  CHECK(racy.count(Verdict::racy) == 8);
  CHECK(racy.outcome() == std::string("racy"));
  const std::string& reason = racy.buffers.at(0).result.first.at(0).reason;
  CAPTURE(reason);
  CHECK(reason.find("some.comp:9") != std::string::npos);
  CHECK(reason.find("[data-race]") != std::string::npos);
  CHECK(reason.find("the shader is at fault") != std::string::npos);
  out[20] = 5;
  const judgement::Judgement wrong = judged(job_of(body, in, out, 8));
  CHECK(wrong.count(Verdict::racy) == 8);
  CHECK(wrong.count(Verdict::wrong) == 1);
}

TEST_CASE("a device that agrees on the winner of a race does so by chance") {
  std::vector<std::uint32_t> in(32);
  for (std::uint32_t k = 0; k < 32; ++k) in[k] = k;
  // What the reference leaves is judged.
  const auto agreeing = [&](const std::string& body, int size, const std::string& header = "") {
    const job::Replay replay(job_of(body, in, in, size, header));
    job::Contents outputs = replay.inputs();
    replay.run(outputs);
    outputs[0].clear();
    return judgement::judge(replay, outputs);
  };
  const judgement::Judgement same_line = agreeing("r[i % 8u] = x[i];\nif (i >= 16u) r[i] = i;", 8);
  CHECK(same_line.count(Verdict::racy) == 8);
  CHECK(same_line.count(Verdict::equal) == 24);
  CHECK(same_line.outcome() == std::string("racy"));
  const std::string& reason = same_line.buffers.at(0).result.first.at(0).reason;
  CAPTURE(reason);
  CHECK(reason.find("some.comp:9 without an order [data-race]") != std::string::npos);
  CHECK(reason.ends_with("; the shader is at fault, and the device agrees by chance"));
  // In one subgroup as well, whose lanes always store in one order here.
  CHECK(agreeing("r[i % 8u] = x[i];", 32).count(Verdict::racy) == 8);
  // Through memory in between.
  CHECK(agreeing("s[i % 8u] = x[i];\nbarrier();\nr[i] = s[i % 8u] + 1u;", 8, "shared uint s[8];\n")
            .count(Verdict::racy) == 32);
  // Whoever wins, the number is the same; or it is stored again when the others are done.
  CHECK(agreeing("r[i % 8u] = x[i % 8u] + 5u;", 8).outcome() == std::string("right"));
  CHECK(agreeing("r[i % 8u] = x[i];\nmemoryBarrierBuffer();\nbarrier();\nif (i < 8u) r[i] = i;", 8)
            .outcome() == std::string("right"));
  // A number that is read too early is no worse; what is made of it is.
  const judgement::Judgement read = agreeing("r[i] = x[i];\nif (i < 8u) r[i] = r[i + 8u];", 8);
  CHECK(read.count(Verdict::racy) == 8);
  CHECK(read.count(Verdict::equal) == 24);
  // Slots that atomics hand out depend on the order without a race.
  const judgement::Judgement slots = agreeing(
      "if (i == 0u) n = 0u;\nbarrier();\nr[i % 8u] = x[i];\nr[24u + i % 8u] = 1u;\n"
      "if (i < 16u) r[8u + atomicAdd(n, 1u)] = 3u * i;",
      8, "shared uint n;\n");
  CHECK(slots.count(Verdict::racy) == 8);
  CHECK(slots.count(Verdict::equal) == 24);
}

TEST_CASE("both lines of a race are named, whoever wins") {
  std::vector<std::uint32_t> in(32), out(32);
  for (std::uint32_t k = 0; k < 32; ++k) in[k] = k;
  const std::string body = "if (i < 16u)\n  r[i] = 7u;\nelse\n  r[i - 16u] = x[i];";
  for (const int size : {8, 32}) {
    for (const bool first_wins : {true, false}) {
      for (std::uint32_t k = 0; k < 16; ++k) out[k] = first_wins ? 7 : k + 16;
      CAPTURE(size, first_wins);
      const judgement::Judgement racy = judged(job_of(body, in, out, size));
      CHECK(racy.count(Verdict::racy) == 16);
      CHECK(racy.count(Verdict::equal) == 16);
      const std::string& reason = racy.buffers.at(0).result.first.at(0).reason;
      CAPTURE(reason);
      CHECK(reason.find("some.comp:10") != std::string::npos);
      CHECK(reason.find("some.comp:12") != std::string::npos);
    }
  }
}

TEST_CASE("what comes from memory with a race is racy") {
  // The other subgroups' numbers are there or not, as the order has it.
  std::vector<std::uint32_t> in(32), out(32);
  for (std::uint32_t k = 0; k < 32; ++k) in[k] = k + 1;
  for (std::uint32_t k = 0; k < 32; ++k) out[k] = in[31 - k];
  const std::string body = "s[i] = 0u;\nbarrier();\ns[i] = x[i];\nr[i] = s[31u - i];";
  const judgement::Judgement racy = judged(job_of(body, in, out, 8, "shared uint s[32];\n"));
  CHECK(racy.count(Verdict::wrong) == 0);
  CHECK(racy.count(Verdict::racy) > 0);
  // With a barrier between them there is no race to blame.
  out[3] = 0;
  const judgement::Judgement wrong = judged(
      job_of("s[i] = x[i];\nbarrier();\nr[i] = s[31u - i];", in, out, 8, "shared uint s[32];\n"));
  CHECK(wrong.count(Verdict::racy) == 0);
  CHECK(wrong.count(Verdict::wrong) == 1);
}

TEST_CASE("a device that agrees on an undefined value does so by chance") {
  const std::string header = "#extension GL_KHR_shader_subgroup_shuffle : require\n";
  const auto in = numbers(8);
  job::Job made =
      job_of("r[i] = x[i];\nif (i < 4u) r[i] = subgroupShuffle(x[i], i + 4u);", in, in, 8, header);
  const job::Replay replay(made);
  job::Contents outputs = replay.inputs();
  replay.run(outputs);
  outputs[0].clear();
  const judgement::Judgement chance = judgement::judge(replay, outputs);
  CHECK(chance.count(Verdict::undefined) == 4);
  CHECK(chance.count(Verdict::equal) == 4);
  CHECK(chance.outcome() == std::string("undefined"));
  const std::string& reason = chance.buffers.at(0).result.first.at(0).reason;
  CAPTURE(reason);
  CHECK(reason.find("the shader is at fault, and the device agrees by chance") !=
        std::string::npos);
}

TEST_CASE("sums of floats that atomics return are not taken for slots") {
  std::vector<float> in(32), out(33);
  for (std::size_t k = 0; k < 32; ++k) in[k] = static_cast<float>(k % 5 + 1);
  // From the last invocation to the first.
  for (std::size_t k = 32; k-- > 0;) {
    out[k] = out[32];
    out[32] += in[k];
  }
  const std::string header = "#extension GL_EXT_shader_atomic_float : require\n";
  const std::string body = "r[i] = atomicAdd(r[32], x[i]);";
  const judgement::Judgement other = judged(job_of(body, in, out, 8, header));
  CHECK(other.count(Verdict::wrong) == 0);
  // Exchanges make a row of what they store.
  std::vector<float> row(33);
  for (std::size_t k = 32; k-- > 0;) {
    row[k] = row[32];
    row[32] = in[k] + static_cast<float>(k) / 64;
  }
  const std::string exchange = "r[i] = atomicExchange(r[32], x[i] + float(i) / 64.0);";
  CHECK(judged(job_of(exchange, in, row, 8, header)).count(Verdict::wrong) == 0);
}

TEST_CASE("a chaotic sequence is open, and not undefined") {
  std::vector<float> in(8), out(8);
  for (std::size_t k = 0; k < 8; ++k) {
    in[k] = 0.1f * static_cast<float>(k + 1);
    // With more digits than the device has, which soon gives another number.
    double x = in[k];
    for (int n = 0; n < 60; ++n) x = 3.9 * x * (1 - x);
    out[k] = static_cast<float>(x);
  }
  const judgement::Judgement chaotic = judged(
      job_of("float y = x[i];\nfor (int n = 0; n < 60; ++n) y = 3.9 * y * (1.0 - y);\nr[i] = y;",
             in, out, 8));
  CHECK(chaotic.count(Verdict::open) == 8);
  CHECK(chaotic.outcome() == std::string("open"));
}

TEST_CASE("a map has the lane of each element") {
  const auto in = numbers(32);
  judgement::Options options;
  options.map = true;
  const judgement::Judgement mapped =
      judged(job_of("r[31u - i] = subgroupAdd(x[i]);", in, sums(in, 8), 8), options);
  REQUIRE(mapped.buffers.size() == 1);
  REQUIRE(mapped.buffers[0].lanes.size() == 32);
  for (std::size_t k = 0; k < 32; ++k)
    CHECK(mapped.buffers[0].lanes[k] == static_cast<std::int64_t>(31 - k));
}

TEST_CASE("outputs that do not fit a job are refused") {
  const auto in = numbers(8);
  const job::Replay replay(job_of("r[i] = x[i];", in, in, 8));
  CHECK_THROWS_AS(judgement::judge(replay, job::Contents{}), Error);
  CHECK_THROWS_AS(judgement::judge(replay, job::Contents{{}, std::vector<std::byte>(4)}), Error);
}
