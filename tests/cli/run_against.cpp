#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// Results against a dump, and who wrote an element that differs.

TEST_CASE_METHOD(RunFixture, "blocks that share a binding are one buffer") {
  // The reading block comes first, or last.
  const std::string reads = "layout(binding = 0) readonly buffer R { uint data[]; } r;\n";
  const std::string writes = "layout(binding = 0) buffer W { uint data[]; } w;\n";
  for (const std::string& blocks : {writes + reads, reads + writes}) {
    write(directory / "shared.comp",
          "#version 450\nlayout(local_size_x = 4) in;\n" + blocks +
              "void main() { uint i = gl_GlobalInvocationID.x; w.data[i] = r.data[i] + 5; }\n");
    const Outcome summary = run("@shared.comp --groups 1 --buffer 0=iota:u32:4");
    INFO(blocks << summary.err);
    CHECK(summary.exit_code == 0);
    CHECK(summary.out == "buffer 0 (w): u32 x 4, 5 to 8: 5 6 7 8\n");
    const Outcome saved = run("@shared.comp --groups 1 --buffer 0=iota:u32:4 --save 0=@out.npy");
    CHECK(saved.exit_code == 0);
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") ==
          std::vector<std::uint32_t>{5, 6, 7, 8});
  }
}

TEST_CASE_METHOD(RunFixture, "a dump that agrees is fine, one that differs is a failure") {
  std::vector<std::uint32_t> dump = sums(256, 16);
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", dump);
  const std::string against = scan + "--subgroup-size 16 --save 1=@o.npy --against 1=@dump.npy";
  const Outcome same = run(against);
  CHECK(same.exit_code == 0);
  CHECK(contains(same.out, ": 256 elements agree with "));

  dump[0] = 9;
  dump[64 + 16 + 5] += 1;
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", dump);
  const Outcome other = run(against);
  CHECK(other.exit_code == 1);
  CHECK(contains(other.out, ": 2 of 256 elements differ from "));
  CHECK(contains(other.out,
                 expanded("\n  [0] is 9 in the file, 0 here  written by workgroup (0, 0, 0), "
                          "subgroup 0, lane 0, @scan.comp:8\n")));
  CHECK(contains(other.out, expanded("written by workgroup (1, 0, 0), subgroup 1, lane 5, "
                                     "@scan.comp:8\n")));
}

TEST_CASE_METHOD(RunFixture, "the writer of an element that differs is who wrote it last") {
  // Workgroup 2, lane 3 of subgroup 1 at size 4, writes element 1 after all others; nothing writes element 2.
  write(directory / "reverse.comp",
        "#version 450\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "layout(binding = 0) buffer Words { uvec2 words[]; };\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
        "  if (i != 2u) data[i] = i;\n  if (i == 23u)\n    words[0] = uvec2(0u, 100u);\n}\n");
  std::vector<std::uint32_t> expected(24);
  std::iota(expected.begin(), expected.end(), 0u);
  expected[2] = 5;
  expected[23] = 7;
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", expected);
  const std::string command =
      "@reverse.comp --groups 3 --threads 1 --subgroup-size 4 --buffer 0=zeros:u32:24 --against "
      "0=@dump.npy ";
  const Outcome outcome = run(command);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(
      contains(outcome.out,
               expanded("\n  [1] is 1 in the file, 100 here  racy: @reverse.comp:7 and "
                        "@reverse.comp:9 access it without an order [data-race]; the shader is at "
                        "fault  written by workgroup (2, 0, 0), subgroup 1, lane 3, "
                        "@reverse.comp:9\n")));
  CHECK(contains(outcome.out, "\n  [2] is 5 in the file, 0 here  never written\n"));
  CHECK(contains(outcome.out,
                 expanded("\n  [23] is 7 in the file, 23 here  written by workgroup (2, 0, 0), "
                          "subgroup 1, lane 3, @reverse.comp:7\n")));
  const auto told = nlohmann::json::parse(run(command + "--json").out).at("against").at(0);
  CHECK(told.at("first").at(2).at("writer").at("workgroup") == nlohmann::json::array({2, 0, 0}));
  CHECK(told.at("first").at(2).at("writer").at("line") == 9);
  CHECK(told.at("first").at(0).at("writer").is_null());
}

TEST_CASE_METHOD(RunFixture, "nothing is said of writers where another order gives other results") {
  // In one order workgroup i takes ticket i; with several threads some take others.
  write(directory / "tickets.comp",
        "#version 450\nlayout(local_size_x = 1) in;\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "layout(binding = 1) buffer C { uint next; };\n"
        "void main() { data[gl_WorkGroupID.x] = atomicAdd(next, 1u); }\n");
  std::vector<std::uint32_t> in_order(65536);
  std::iota(in_order.begin(), in_order.end(), 0u);
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", in_order);
  const Outcome outcome =
      run("@tickets.comp --groups 65536 --buffer 0=zeros:u32:65536 --buffer 1=zeros:u32:1 "
          "--against 0=@dump.npy");
  CHECK_FALSE(contains(outcome.out, "writ"));
}

TEST_CASE_METHOD(RunFixture, "aliases of one binding are one buffer in every output") {
  write(directory / "aliases.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) writeonly buffer U { uint data[]; } words[2];\n"
        "layout(binding = 0) writeonly buffer V { uvec4 data[]; } vectors[2];\n"
        "layout(binding = 1) readonly buffer R { uint data[]; } r;\n"
        "layout(binding = 1) buffer S { uint data[]; } s;\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  words[0].data[i] = i;\n"
        "  if (i == 0u) vectors[1].data[1] = uvec4(7u);\n  s.data[i] = r.data[i] + 1u;\n}\n");
  const std::string command =
      "@aliases.comp --groups 1 --buffer 0=zeros:u32:8 --buffer 0=zeros:u32:8 "
      "--buffer 1=iota:u32:4 ";
  const Outcome saved = run(command + "--save 0=@a.npy --save 0=@b.npy --save 1=@c.npy");
  INFO(saved.out << saved.err);
  CHECK(saved.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "b.npy") ==
        std::vector<std::uint32_t>{0, 0, 0, 0, 7, 7, 7, 7});
  const Outcome again = run(command + "--against 0=@a.npy --against 0=@b.npy --against 1=@c.npy");
  INFO(again.out << again.err);
  CHECK(again.exit_code == 0);
  const auto told = nlohmann::json::parse(run(command + "--json").out);
  REQUIRE(told.at("buffers").size() == 3);
  CHECK(told.at("buffers").at(1).at("first").at(7) == "7");
  CHECK(told.at("buffers").at(2).at("first").at(3) == "4");
  // One of two is enough if the other is not touched.
  write(directory / "one.comp",
        "#version 450\nlayout(binding = 0) buffer U { uint data[]; } words[2];\n"
        "layout(binding = 0) buffer V { float data[]; } floats[2];\n"
        "void main() { words[0].data[0] = 5u; }\n");
  const Outcome one = run("@one.comp --groups 1 --buffer 0=zeros:u32:1");
  CHECK(one.exit_code == 0);
  CHECK(contains(one.out, ": u32 x 1, 5 to 5: 5\n"));
  refused(
      "@one.comp --groups 1 --buffer 0=zeros:u32:1 --buffer 0=zeros:u32:1 --buffer 0=zeros:u32:1",
      "--buffer 0 is given 3 times, but the shader accepts at most 2");
}

TEST_CASE_METHOD(RunFixture, "dumps of another type or size are refused") {
  lockstep::npy::write<float>(directory / "f.npy", std::vector<float>(256));
  refused(scan + "--against 1=@f.npy",
          "@f.npy: holds f32, but buffer 1 (result) holds u32; save it as u32");
  lockstep::npy::write<std::uint32_t>(directory / "s.npy", std::vector<std::uint32_t>(255));
  refused(
      scan + "--against 1=@s.npy",
      "@s.npy: has 1020 bytes of values, but buffer 1 (result) has 1024; dump the whole buffer");
}
