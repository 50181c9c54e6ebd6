#include "amber/expect.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "amber/memory.hpp"

using namespace lockstep::amber;

namespace {

/// The result of an EXPECT in a script that declares buffers; "" if it is met.
std::string outcome(const std::string& buffers, const std::string& expectation) {
  const Script script = parse("#!amber\n" + buffers + "\n" + expectation + "\n");
  const Action& action = script.commands.at(0).actions.at(0).second;
  const auto bytes_of = [&](std::size_t index) {
    return initial_bytes(script.buffers.at(index), {});
  };
  std::optional<std::string> failure;
  if (const auto* values = std::get_if<ExpectValues>(&action))
    failure = check(*values, script.buffers[values->buffer], bytes_of(values->buffer));
  else if (const auto* pixels = std::get_if<ExpectPixels>(&action))
    failure = check(*pixels, script.buffers[pixels->buffer], bytes_of(pixels->buffer));
  else if (const auto* both = std::get_if<ExpectBuffers>(&action))
    failure = check(*both, script.buffers[both->buffer], script.buffers[both->other],
                    bytes_of(both->buffer), bytes_of(both->other));
  else
    FAIL("no expectation");
  return failure.value_or("");
}

const std::string ints = "BUFFER b DATA_TYPE int32 DATA 5 -1 7 END";
const std::string floats = "BUFFER b DATA_TYPE float DATA 1.5 100 NaN END";
const std::string vectors = "BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END";

}  // namespace

TEST_CASE("every comparator holds and fails") {
  struct Case {
    const char* comparator;
    bool below, same, above;  ///< whether 4, 5 and 6 compare so with 5
  };
  for (const Case& c : {Case{"EQ", false, true, false}, Case{"NE", true, false, true},
                        Case{"LT", true, false, false}, Case{"LE", true, true, false},
                        Case{"GT", false, false, true}, Case{"GE", false, true, true}}) {
    for (const char* type : {"int8", "uint8", "int64", "uint64", "float16", "float", "double"}) {
      const std::string buffer = std::string("BUFFER b DATA_TYPE ") + type + " DATA 4 5 6 END";
      const std::size_t size = parse("#!amber\n" + buffer + "\n").buffers[0].layout.stride;
      const bool expected[] = {c.below, c.same, c.above};
      for (std::size_t k = 0; k < 3; ++k) {
        INFO(type << " " << 4 + k << " " << c.comparator << " 5");
        const std::string idx = "EXPECT b IDX " + std::to_string(k * size) + " ";
        CHECK(outcome(buffer, idx + c.comparator + " 5").empty() == expected[k]);
      }
    }
  }
}

TEST_CASE("a failure names buffer, index, expected and got") {
  CHECK(outcome(ints, "EXPECT b IDX 0 EQ 5 -1 7").empty());
  CHECK(outcome(ints, "EXPECT b IDX 0 EQ 5 -1 8") ==
        "buffer b, index 2 (byte 8): expected 8, got 7");
  CHECK(outcome(ints, "EXPECT b IDX 4 GT -1") ==
        "buffer b, index 0 (byte 4): expected > -1, got -1");
  CHECK(outcome(ints, "EXPECT b IDX 4 LT 0xffffffff") ==
        "buffer b, index 0 (byte 4): expected < -1, got -1");
  CHECK(outcome(ints, "EXPECT b IDX 4 EQ 0xffffffff").empty());
  CHECK(outcome(ints, "EXPECT b IDX 8 EQ 7 7") ==
        "buffer b has 12 bytes, but 2 values from IDX 8 were expected");
  CHECK(outcome(vectors, "EXPECT b IDX 0 EQ 1 2 3 4 5 6").empty());
  CHECK(outcome(vectors, "EXPECT b IDX 16 EQ 4 5 7") ==
        "buffer b, index 2 (byte 24): expected 7, got 6");
}

TEST_CASE("floats are equal within a share of the expected value, or a tolerance") {
  CHECK(outcome(floats, "EXPECT b IDX 0 EQ 1.5").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 0 EQ 1.5000002").empty());
  CHECK(outcome(floats, "EXPECT b IDX 8 EQ nan").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 8 EQ 1").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 8 LE 1").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 8 GE 1").empty());
  CHECK(outcome(floats, "EXPECT b IDX 0 TOLERANCE 0.5 EQ 2").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 0 TOLERANCE 0.4 EQ 2").empty());
  CHECK(outcome(floats, "EXPECT b IDX 4 TOLERANCE 10% EQ 91").empty());
  CHECK_FALSE(outcome(floats, "EXPECT b IDX 4 TOLERANCE 9 % EQ 91").empty());
  CHECK(outcome(ints, "EXPECT b IDX 0 TOLERANCE 1 EQ 6 0 6").empty());
  CHECK_FALSE(outcome(ints, "EXPECT b IDX 0 TOLERANCE 1 EQ 7").empty());
}

TEST_CASE("several tolerances are for components in turn") {
  const std::string all = "EXPECT b IDX 0 TOLERANCE 0.125 0.25 0.5 EQ ";
  CHECK(outcome(vectors, all + "1.125 2.25 3.5 4.125 5.25 6.5").empty());
  CHECK_FALSE(outcome(vectors, all + "1.25 2 3").empty());
  CHECK_FALSE(outcome(vectors, all + "1 2 3 4 5.5 6").empty());
  CHECK_FALSE(outcome(vectors, "EXPECT b IDX 0 TOLERANCE 1 1 EQ 1 2 3.5").empty());
  CHECK(outcome(vectors, "EXPECT b IDX 0 TOLERANCE 1 EQ 2 3 4 5 6 7").empty());
}

TEST_CASE("pixels are compared by channel") {
  const std::string rgba =
      "IMAGE b FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA\n"
      "10 20 30 40  10 20 30 40\n10 20 30 40  11 20 30 40 END";
  CHECK(outcome(rgba, "EXPECT b IDX 0 0 SIZE 2 1 EQ_RGBA 10 20 30 40").empty());
  CHECK(outcome(rgba, "EXPECT b IDX 0 0 SIZE 2 1 EQ_RGB 10 20 30").empty());
  CHECK(outcome(rgba, "EXPECT b IDX 0 0 SIZE 2 2 EQ_RGBA 10 20 30 40") ==
        "buffer b, pixel (1, 1): expected 10, 20, 30, 40, got 11, 20, 30, 40; 1 pixels differ");
  CHECK(outcome(rgba, "EXPECT b IDX 0 0 SIZE 2 2 EQ_RGBA 10 20 30 40 TOLERANCE 0.005").empty());
  CHECK_FALSE(outcome(rgba, "EXPECT b IDX 0 0 SIZE 1 1 EQ_RGBA 10 20 30 42").empty());
  CHECK(outcome(rgba, "EXPECT b IDX 0 0 SIZE 1 1 EQ_RGB 12 20 30 TOLERANCE 20% 0.1 0.1").empty());

  const auto one = [](const std::string& format, const std::string& data) {
    return "IMAGE b FORMAT " + format + " DIM_2D WIDTH 1 HEIGHT 1 DATA " + data + " END";
  };
  const std::string first = "EXPECT b IDX 0 0 SIZE 1 1 ";
  CHECK(outcome(one("B8G8R8A8_UNORM", "1 2 3 4"), first + "EQ_RGBA 3 2 1 4").empty());
  CHECK(outcome(one("R8G8B8A8_UINT", "1 2 3 4"), first + "EQ_RGBA 1 2 3 4").empty());
  CHECK(outcome(one("R32G32B32A32_SFLOAT", "1 0 0.2 1"), first + "EQ_RGBA 255 0 51 255").empty());
  CHECK(outcome(one("R8_SNORM", "127"), first + "EQ_RGB 255 9 9").empty());
  CHECK(outcome(one("R8G8B8A8_SRGB", "188 0 0 188"), first + "EQ_RGBA 128 0 0 188").empty());
  CHECK(outcome(one("A2B10G10R10_UNORM_PACK32", "0xC00003FF"), first + "EQ_RGBA 255 0 0 255")
            .empty());
  CHECK(outcome(one("R5G6B5_UNORM_PACK16", "0xF800"), first + "EQ_RGB 255 0 0").empty());
  // 1.0 as an unsigned 11-bit float: exponent 15.
  CHECK(outcome(one("B10G11R11_UFLOAT_PACK32", "0x3C0"), first + "EQ_RGB 255 0 0").empty());
}

TEST_CASE("buffers are compared with buffers") {
  const std::string pair =
      "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
      "BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 8 2 END";
  CHECK(outcome(pair, "EXPECT a EQ_BUFFER a").empty());
  CHECK(outcome(pair, "EXPECT a EQ_BUFFER b") ==
        "buffer a, index 4: expected 8 as in b, got 5; 2 values differ");
  // Differences 3 and 4 over six values: the root of 25/6 is 2.0412.
  CHECK(outcome(pair, "EXPECT a RMSE_BUFFER b TOLERANCE 2.05").empty());
  CHECK_THAT(outcome(pair, "EXPECT a RMSE_BUFFER b TOLERANCE 2.03"),
             Catch::StartsWith("buffer a: the root mean square error against b is 2.0412"));
}

TEST_CASE("histograms are compared by the way their values must go") {
  const std::string image = " FORMAT R8G8B8A8_UNORM DIM_1D WIDTH 2 DATA ";
  const std::string pair = "IMAGE a" + image + "0 0 0 0 10 0 0 0 END\nIMAGE b" + image +
                           "10 0 0 0 0 0 0 0 END\nIMAGE c" + image + "0 0 0 0 138 0 0 0 END";
  CHECK(outcome(pair, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 0").empty());
  // One of two pixels moves by 128 of 256 bins: a quarter.
  CHECK(outcome(pair, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.25").empty());
  CHECK(outcome(pair, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.24") ==
        "buffer a: the distance between its histogram and the one of c is 0.25, more than the "
        "tolerance of "
        "0.24");
}
