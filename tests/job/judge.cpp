#include "capture/job/judge.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

/// \file
/// Judgements of jobs whose results plain loops make, as devices might.

namespace {

using namespace lockstep;
using job::Binding;
using report::Verdict;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// One workgroup of a shader that reads binding 0 and writes binding 1.
template <class T>
job::Job job_of(const std::string& body, const std::vector<T>& in, const std::vector<T>& out,
                int size, const std::string& header = "") {
  constexpr bool is_float = std::is_same_v<T, float>;
  const std::string type = is_float ? "float" : "uint";
  const Module module = Module::from_glsl(
      "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n" +
          header + "layout(local_size_x = " + std::to_string(in.size()) +
          ") in;\nlayout(binding = 0) readonly buffer In { " + type +
          " x[]; };\nlayout(binding = 1) buffer Out { " + type +
          " r[]; };\nvoid main() {\nuint i = gl_LocalInvocationIndex;\n" + body + "\n}\n",
      {}, "some.comp");
  job::Job made;
  made.source = "some.comp";
  made.words.assign(module.words().begin(), module.words().end());
  made.subgroup_size = size;
  Binding from, to;
  from.type = to.type = is_float ? npy::Dtype::float32 : npy::Dtype::uint32;
  from.input = bytes_of(in);
  to.binding = 1;
  to.writable = true;
  to.input.resize(out.size() * sizeof(T));
  to.output = bytes_of(out);
  made.bindings = {from, to};
  return made;
}

job::Judgement judged(job::Job made, const job::JudgeOptions& options = {}) {
  return job::judge(job::Replay(std::move(made)), options);
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
  const job::Judgement wrong = judged(job_of(body, in, out, 8));
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

TEST_CASE("results of another subgroup size are wrong, and that size is named") {
  const auto in = numbers(32);
  const job::Judgement other = judged(job_of("r[i] = subgroupAdd(x[i]);", in, sums(in, 16), 8));
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
  const job::Judgement other = judged(job_of(body, in, out, 8));
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
  const job::Judgement other =
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
    for (const std::size_t n : {15, 3, 8, 0, 12, 5, 1, 14, 2, 7, 9, 11, 4, 13, 6, 10})
      odd[k] += in[n];
    for (std::size_t n = 0; n < 16; ++n) fold[k] += in[n];
    lost[k] = fold[k] - in[0];
  }
  const std::string body = "r[i] = subgroupAdd(x[i]);";
  const job::Judgement known = judged(job_of(body, in, fold, 16));
  CHECK(known.count(Verdict::equal) == 16);
  const job::Judgement other = judged(job_of(body, in, odd, 16));
  CHECK(other.count(Verdict::equal) + other.count(Verdict::allowed) == 16);
  CHECK(judged(job_of(body, in, lost, 16)).count(Verdict::wrong) == 16);
  // Held to another order, neither passes.
  if (fold != odd) {
    job::JudgeOptions strict;
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
  const job::Judgement legal = judged(job_of(body, in, apart, 8));
  CHECK(legal.count(Verdict::wrong) == 0);
  REQUIRE(legal.explanation.has_value());
  CHECK(legal.explanation->same_device);
  CHECK(legal.explanation->on == std::vector<std::string>{"convergence"});
  CHECK(judged(job_of(body, in, impossible, 8)).count(Verdict::wrong) == 7);
}

TEST_CASE("a map has the lane of each element") {
  const auto in = numbers(32);
  job::JudgeOptions options;
  options.map = true;
  const job::Judgement mapped =
      judged(job_of("r[31u - i] = subgroupAdd(x[i]);", in, sums(in, 8), 8), options);
  REQUIRE(mapped.buffers.size() == 1);
  REQUIRE(mapped.buffers[0].lanes.size() == 32);
  for (std::size_t k = 0; k < 32; ++k)
    CHECK(mapped.buffers[0].lanes[k] == static_cast<std::int64_t>(31 - k));
}

TEST_CASE("outputs that do not fit a job are refused") {
  const auto in = numbers(8);
  const job::Replay replay(job_of("r[i] = x[i];", in, in, 8));
  CHECK_THROWS_AS(job::judge(replay, job::Contents{}), Error);
  CHECK_THROWS_AS(job::judge(replay, job::Contents{{}, std::vector<std::byte>(4)}), Error);
}
