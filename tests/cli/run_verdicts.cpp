#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep run --against`: verdicts on what another device wrote.

namespace {

std::vector<float> tenths(std::size_t count) {
  std::vector<float> values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(0.1f * static_cast<float>(k));
  return values;
}

}  // namespace

TEST_CASE_METHOD(RunFixture, "a sum in another order is allowed, and one without a term is wrong") {
  write(directory / "sum.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
        "layout(local_size_x = 64) in;\n"
        "layout(binding = 0) readonly buffer A { float a[]; };\n"
        "layout(binding = 1) buffer B { float b[]; };\n"
        "void main() { b[gl_GlobalInvocationID.x] = "
        "subgroupInclusiveAdd(a[gl_GlobalInvocationID.x]); }\n");
  const std::vector<float> in = tenths(64);
  lockstep::npy::write<float>(directory / "in.npy", in);
  // From the left; half of the lanes from the right, in pairs.
  std::vector<float> device(64);
  for (std::size_t k = 0; k < 64; ++k) {
    float sum = 0;
    for (std::size_t n = 0; n <= k % 32; ++n) sum += k < 32 ? in[n] : in[k - n];
    device[k] = sum;
  }
  const std::string command =
      "@sum.comp --groups 1 --subgroup-size 32 --buffer 0=@in.npy --buffer 1=zeros:f32:64 "
      "--against 1=@gpu.npy ";
  lockstep::npy::write<float>(directory / "gpu.npy", device);
  const Outcome fine = run(command);
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK(contains(fine.out, "buffer 1 (B): 64 elements agree with "));

  device[40] -= 0.1f;
  lockstep::npy::write<float>(directory / "gpu.npy", device);
  const Outcome wrong = run(command);
  INFO(wrong.out << wrong.err);
  CHECK(wrong.exit_code == 1);
  CHECK(contains(wrong.out, "buffer 1 (B): 1 of 64 elements differ from "));
  CHECK(contains(wrong.out, "1 wrong"));
  CHECK(contains(wrong.out, "  [40] is "));
  CHECK(contains(wrong.out, "  allowed "));

  const auto told = nlohmann::json::parse(run(command + "--json").out).at("against").at(0);
  CHECK(told.at("set") == 0);
  CHECK(told.at("binding") == 1);
  CHECK(told.at("counts").at("wrong") == 1);
  CHECK(told.at("worst").at("index") == 40);
  CHECK(told.at("worst").at("verdict") == "wrong");
  std::size_t elements = 0;
  for (const auto& [verdict, count] :
       told.at("verdicts").get<std::vector<std::pair<std::string, std::size_t>>>())
    elements += count;
  CHECK(elements == 64);
}

TEST_CASE_METHOD(RunFixture, "what rounding decides is open, and fails only under --strict") {
  write(directory / "edge.comp",
        "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { float b[]; };\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  float x = exp(log(b[i]));\n"
        "  if (x < b[i]) b[i] = 1.0;\n  else b[i] = 2.0;\n}\n");
  lockstep::npy::write<float>(directory / "in.npy", std::vector<float>{3, 5, 7, 9});
  const std::string plain = "@edge.comp --groups 1 --buffer 0=@in.npy --save 0=@own.npy ";
  const std::string command = plain + "--against 0=@gpu.npy ";
  // A device that decides three of them otherwise.
  CHECK(run(plain).exit_code == 0);
  std::vector<float> device = lockstep::npy::read<float>(directory / "own.npy");
  for (std::size_t k = 0; k < 3; ++k) device[k] = 3 - device[k];
  lockstep::npy::write<float>(directory / "gpu.npy", device);
  const Outcome open = run(command);
  INFO(open.out << open.err);
  CHECK(open.exit_code == 0);
  CHECK(
      contains(open.out, expanded("buffer 0 (B): 1 of 4 elements agree with @gpu.npy, 3 cannot be "
                                  "judged:\n")));
  CHECK(contains(open.out, expanded("open: @edge.comp:7: rounding decides a comparison")));
  CHECK(run(command + "--strict").exit_code == 1);
  CHECK(run(command + "--strict --against 0=@own.npy").exit_code == 2);
}

TEST_CASE_METHOD(RunFixture, "a sum in a known order is equal, and that order can be demanded") {
  write(directory / "total.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
        "layout(local_size_x = 32) in;\n"
        "layout(binding = 0) readonly buffer A { float a[]; };\n"
        "layout(binding = 1) buffer B { float b[]; };\n"
        "void main() { b[gl_GlobalInvocationID.x] = subgroupAdd(a[gl_GlobalInvocationID.x]); }\n");
  const std::vector<float> in = tenths(32);
  lockstep::npy::write<float>(directory / "in.npy", in);
  float sum = 0;
  for (const float x : in) sum += x;
  lockstep::npy::write<float>(directory / "gpu.npy", std::vector<float>(32, sum));
  // The tree that Lockstep uses has another last bit.
  const std::string command =
      "@total.comp --groups 1 --subgroup-size 32 --buffer 0=@in.npy --buffer 1=zeros:f32:32 "
      "--against 1=@gpu.npy ";
  const Outcome fold = run(command + "--json");
  const auto told = nlohmann::json::parse(fold.out).at("against").at(0);
  CHECK(told.at("counts").at("equal") == 32);
  CHECK(told.at("order") == "left_fold");
  CHECK(run(command + "--strict-order left_fold").exit_code == 0);
  CHECK(run(command + "--strict-order tree").exit_code == 1);
  refused(command + "--strict-order right",
          "--strict-order right: is not an order; use tree, left_fold, hillis_steele or butterfly");
}

TEST_CASE_METHOD(RunFixture, "an element's history names operations, lines and lanes") {
  write(directory / "norm.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
        "layout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { float b[]; };\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  float x = exp(b[i]);\n"
        "  float sum = subgroupAdd(x);\n  if (i != 2u) b[i] = x / sum;\n}\n");
  lockstep::npy::write<float>(directory / "in.npy", std::vector<float>{0.1f, 0.2f, 0.3f, 0.4f});
  const std::string command =
      "@norm.comp --groups 1 --subgroup-size 4 --buffer 0=@in.npy --explain ";
  const Outcome told = run(command + "0:1");
  INFO(told.out << told.err);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, "buffer 0 (B)[1] = 0."));
  CHECK(contains(told.out,
                 expanded("written by workgroup (0, 0, 0), subgroup 0, lane 1, @norm.comp:9\n")));
  CHECK(contains(told.out, expanded("\n@norm.comp:9  x / y = ")));
  CHECK(contains(told.out, expanded("\n  @norm.comp:8  subgroupAdd(x) = ")));
  CHECK(contains(told.out, expanded("\n    lane 3: @norm.comp:7  exp(x) = ")));
  CHECK(contains(told.out, "of exactly 0.4"));
  CHECK(contains(run(command + "0:2").out, "which is exact"));
  refused(command + "0:9", "--explain 0:9: buffer 0 (B) has no such element");
  refused(command + "7:0", "--explain 7:0: no buffer is bound there");
  refused(command + "x", "--explain 'x': is not [SET:]BINDING:INDEX, such as 1:40");
}

TEST_CASE_METHOD(RunFixture, "lanes that a device keeps apart are right where the rule lets it") {
  write(directory / "fall.comp",
        "#version 460\n#extension GL_EXT_maximal_reconvergence : require\n"
        "#extension GL_KHR_shader_subgroup_ballot : require\nlayout(local_size_x = 6) in;\n"
        "layout(binding = 0) buffer B { uint b[]; };\nvoid main() [[maximally_reconverges]] {\n"
        "  uint i = gl_LocalInvocationIndex, n = 0u;\n  switch (i % 3u) {\n    case 0u: n = 100u;\n"
        "    case 1u: n += subgroupBallotBitCount(subgroupBallot(true)); break;\n"
        "    default: n = 7u;\n  }\n  b[i] = n;\n}\n");
  const std::string command = "@fall.comp --groups 1 --subgroup-size 8 --buffer 0=zeros:u32:6 ";
  lockstep::npy::write<std::uint32_t>(directory / "apart.npy",
                                      std::vector<std::uint32_t>{102, 2, 7, 102, 2, 7});
  const Outcome apart = run(command + "--against 0=@apart.npy");
  INFO(apart.out << apart.err);
  CHECK(apart.exit_code == 0);
  CHECK(contains(apart.out, "6 elements agree with "));
  CHECK(contains(apart.out, "a behaviour that Vulkan allows gives this: --subgroup-size 8 "));
  const auto told = nlohmann::json::parse(run(command + "--against 0=@apart.npy --json").out);
  CHECK(told.at("behaviour").at("on") == nlohmann::json::array({"fallthrough"}));
  // What the message gives repeats it.
  const std::string repeated = told.at("behaviour").at("options");
  CHECK(run("@fall.comp --groups 1 --buffer 0=zeros:u32:6 " + repeated +
            " --against 0=@apart.npy --strict")
            .exit_code == 0);
  lockstep::npy::write<std::uint32_t>(directory / "never.npy",
                                      std::vector<std::uint32_t>{103, 3, 7, 103, 3, 7});
  const Outcome never = run(command + "--against 0=@never.npy");
  INFO(never.out << never.err);
  CHECK(never.exit_code == 1);
  CHECK(contains(never.out, "4 of 6 elements differ"));
  // With given choices no others are tried.
  CHECK(run(command + "--choose rejoin-all --against 0=@apart.npy").exit_code == 1);
  // Weaker rules promise no more.
  for (const std::string rule : {"core", "subgroup-uniform"}) {
    const std::string weak = command + "--convergence " + rule + " --against 0=";
    CAPTURE(rule);
    const auto told_weak = nlohmann::json::parse(run(weak + "@apart.npy --json").out);
    CHECK(told_weak.at("behaviour").at("on") == nlohmann::json::array({"fallthrough"}));
    CHECK(told_weak.at("against").at(0).at("counts").at("equal") == 6);
    CHECK(run(weak + "@apart.npy --strict").exit_code == 0);
    CHECK(run(weak + "@never.npy").exit_code == 1);
  }
}

TEST_CASE_METHOD(RunFixture, "a race is the shader's fault, and fails only under --strict") {
  write(directory / "race.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\n"
        "void main() {\n  uint i = gl_LocalInvocationIndex;\n  b[i % 32u] = i;\n}\n");
  std::vector<std::uint32_t> first(32);
  for (std::uint32_t k = 0; k < 32; ++k) first[k] = k;
  lockstep::npy::write<std::uint32_t>(directory / "first.npy", first);
  const std::string command =
      "@race.comp --groups 1 --buffer 0=zeros:u32:32 --against 0=@first.npy ";
  const Outcome racy = run(command);
  INFO(racy.out << racy.err);
  CHECK(racy.exit_code == 0);
  CHECK(contains(racy.out, ", 32 are racy:\n"));
  CHECK(contains(racy.out, "race.comp:6 without an order [data-race]; the shader is at fault"));
  CHECK(run(command + "--strict").exit_code == 1);
  // Where the device agrees, it does so by chance.
  CHECK(run("@race.comp --groups 1 --buffer 0=zeros:u32:32 --save 0=@own.npy").exit_code == 0);
  const std::string own = "@race.comp --groups 1 --buffer 0=zeros:u32:32 --against 0=@own.npy ";
  const Outcome chance = run(own);
  INFO(chance.out << chance.err);
  CHECK(chance.exit_code == 0);
  CHECK(contains(chance.out, expanded("0 of 32 elements agree with @own.npy, 32 are racy:\n")));
  CHECK(contains(chance.out, "; the shader is at fault, and the device agrees by chance"));
  CHECK(run(own + "--strict").exit_code == 1);
  const auto told = nlohmann::json::parse(run(own + "--json").out).at("against").at(0);
  CHECK(told.at("counts").at("racy") == 32);
  CHECK(told.at("differing") == 0);
  CHECK(contains(told.at("first").at(0).at("reason").get<std::string>(), "agrees by chance"));
  first[4] = 5;  // which no invocation writes there: but a race may leave anything
  lockstep::npy::write<std::uint32_t>(directory / "first.npy", first);
  CHECK(run(command).exit_code == 0);
}
