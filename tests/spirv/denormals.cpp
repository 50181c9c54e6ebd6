#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Denormals are kept by every operation that the mode DenormPreserve lists, in each width, with the mode and without:
/// the engine has no other. All expected values are exact, so that no rounding is involved.

using namespace lockstep;

namespace {

/// A shader of one invocation on an array of numbers of a type, with an execution mode of that width or none.
std::string shader(const std::string& type, int bits, const std::string& mode,
                   const std::string& statements) {
  std::string text = "#version 450\n#extension GL_EXT_spirv_intrinsics : require\n";
  for (const char* extension :
       {"GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_16bit_storage",
        "GL_KHR_shader_subgroup_arithmetic", "GL_KHR_shader_subgroup_shuffle",
        "GL_KHR_shader_subgroup_vote", "GL_EXT_shader_subgroup_extended_types_float16"})
    text += fmt::format("#extension {} : require\n", extension);
  if (!mode.empty())
    text += fmt::format(
        "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], {}, {});\n", mode, bits);
  text += "layout(local_size_x = 1) in;\n#define T " + type + "\n";
  text += "layout(binding = 0) buffer In { T x[]; };\nlayout(binding = 1) buffer Out { T y[]; };\n";
  text += "layout(binding = 2) buffer Bits { uint bits[]; };\n";
  return text + "void main() {\n" + statements + "}\n";
}

constexpr const char* preserve = "capabilities = [4464], 4459";

/// The bits of y and of `bits` after a run on these bits of x.
template <class Bits>
struct Result {
  std::vector<Bits> y;
  std::vector<std::uint32_t> bits;
};
template <class Bits>
Result<Bits> result_of(const std::string& text, std::vector<Bits> x, int size) {
  Result<Bits> result{std::vector<Bits>(32), std::vector<std::uint32_t>(32)};
  auto made = Shader::from_glsl(text);
  made.bind(0, x).bind(1, result.y).bind(2, result.bits);
  DispatchSettings settings;
  settings.subgroup_size = size;
  made.dispatch({1}, settings);
  return result;
}

/// Bits of the numbers that one width has: d is the smallest denormal, and n the smallest normal number.
template <class Bits>
struct Format {
  const char* type;
  int digits;  ///< of the fraction
  Bits d = 1;
  Bits n = static_cast<Bits>(Bits{1} << digits);
  Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  Bits one, half;
};
constexpr Format<std::uint16_t> f16{
    .type = "float16_t", .digits = 10, .one = 0x3c00, .half = 0x3800};
constexpr Format<std::uint32_t> f32{
    .type = "float", .digits = 23, .one = 0x3f800000, .half = 0x3f000000};
constexpr Format<std::uint64_t> f64{
    .type = "double", .digits = 52, .one = 0x3ff0000000000000, .half = 0x3fe0000000000000};

template <class Bits>
void check_arithmetic(const Format<Bits>& f) {
  // x: the smallest denormal, the smallest normal number, one, a half.
  const std::string statements =
      "y[0] = x[0] + x[0];\ny[1] = x[1] - x[0];\ny[2] = -x[0];\ny[3] = x[1] * x[3];\n"
      "y[4] = x[0] * x[2];\ny[5] = abs(-x[0]);\ny[6] = min(x[0], x[2]);\ny[7] = max(x[0], -x[2]);\n"
      "y[8] = clamp(x[0], T(0), x[2]);\ny[9] = fma(x[1], x[3], x[0]);\ny[10] = mix(x[0], x[1], "
      "T(0));\n"
      "y[11] = dot(vec2_of(x[0], x[0]), vec2_of(x[2], x[2]));\n"
      "y[12] = subgroupAdd(x[0]);\ny[13] = subgroupMin(x[0]);\ny[14] = subgroupShuffle(x[0], 0u);\n"
      "y[15] = x[0] / x[2];\n"
      "bits[0] = uint(x[0] > T(0));\nbits[1] = uint(x[0] == T(0));\nbits[2] = uint(-x[0] < T(0));\n"
      "bits[3] = uint(sign(x[0]) == T(1));\nbits[4] = uint(x[0] != x[0] + x[0]);\n"
      "bits[5] = uint(subgroupAllEqual(x[0]));\nbits[6] = uint(isnan(x[0]) || isinf(x[0]));\n";
  const Bits below = static_cast<Bits>(f.n - 1), halved = static_cast<Bits>(f.n / 2);
  const std::vector<Bits> want{2, below, static_cast<Bits>(f.sign | 1), halved, 1, 1, 1,
                               1, 1,     static_cast<Bits>(halved + 1), 1,      2, 1, 1,
                               1, 1};
  for (const std::string mode : {"", preserve}) {
    for (const int size : {1, 5, 32, 128}) {
      INFO(f.type << " " << mode << ", subgroup size " << size);
      std::string text = shader(f.type, static_cast<int>(sizeof(Bits)) * 8, mode, statements);
      const std::string vector = sizeof(Bits) == 2   ? "f16vec2"
                                 : sizeof(Bits) == 4 ? "vec2"
                                                     : "dvec2";
      text.replace(text.find("void main"), 0, "#define vec2_of " + vector + "\n");
      auto got = result_of<Bits>(text, {f.d, f.n, f.one, f.half}, size);
      got.y.resize(want.size());
      got.bits.resize(7);
      CHECK(got.y == want);
      CHECK(got.bits == std::vector<std::uint32_t>{1, 0, 1, 1, 1, 1, 0});
    }
  }
}

}  // namespace

TEST_CASE("arithmetic keeps denormals of 16, 32 and 64 bits") {
  check_arithmetic(f16);
  check_arithmetic(f32);
  check_arithmetic(f64);
}

TEST_CASE("conversions make and take denormals of 16 bits exactly") {
  const std::string statements =
      "for (uint k = 0u; k < 8u; ++k) y[k] = T(float16_t(x[k]));\n"  // to 16 bits and back
      "for (uint k = 0u; k < 8u; ++k) bits[k] = packHalf2x16(vec2(x[k], x[k + 1u]));\n"
      "for (uint k = 0u; k < 8u; ++k) y[8u + k] = unpackHalf2x16(bits[k]).y;\n";
  std::vector<std::uint32_t> x;
  for (int k = 0; k < 9; ++k) {
    // Multiples of 2^-24, the smallest denormal of 16 bits.
    const float value = std::ldexp(static_cast<float>(1 + 113 * k), -24);
    x.push_back(std::bit_cast<std::uint32_t>(value));
  }
  for (const std::string mode : {"", preserve}) {
    const auto got = result_of<std::uint32_t>(shader("float", 16, mode, statements), x, 32);
    for (std::size_t k = 0; k < 8; ++k) {
      INFO(mode << ", number " << k);
      const auto half = static_cast<std::uint32_t>(1 + 113 * k);  // denormals' bits count 2^-24
      CHECK(got.y[k] == x[k]);
      CHECK(got.bits[k] == (half | (half + 113) << 16));
      CHECK(got.y[8 + k] == x[k + 1]);
    }
  }
}

TEST_CASE("narrowing to 16 bits rounds among denormals to nearest even") {
  const std::string statements =
      "for (uint k = 0u; k < 6u; ++k) bits[k] = uint(float16BitsToUint16(float16_t(x[k])));\n";
  const auto times = [](double count) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::ldexp(count, -24)));
  };
  const auto got = result_of<std::uint32_t>(
      shader("float", 16, preserve, statements),
      {times(0.5), times(0.75), times(1.5), times(2.5), times(1023.5), times(-0.25)}, 32);
  const std::vector<std::uint32_t> want{0, 1, 2, 2, 1024, 0x8000};
  CHECK(std::vector<std::uint32_t>(got.bits.begin(), got.bits.begin() + 6) == want);
}

TEST_CASE("conversions between 32 and 64 bits keep denormals") {
  const std::string statements =
      "bits[0] = floatBitsToUint(float(x[0]));\nbits[1] = floatBitsToUint(float(x[1]));\n"
      "y[0] = T(uintBitsToFloat(1u));\ny[1] = T(uintBitsToFloat(0x807fffffu));\n";
  const auto bits_of = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  for (const std::string mode : {"", preserve}) {
    const auto got = result_of<std::uint64_t>(shader("double", 32, mode, statements),
                                              {bits_of(0x1p-149), bits_of(-0x1.8p-148)}, 32);
    CHECK(got.bits[0] == 1);
    CHECK(got.bits[1] == 0x80000003);
    CHECK(got.y[0] == bits_of(0x1p-149));
    CHECK(got.y[1] == bits_of(-0x1.fffffcp-127));
  }
}

TEST_CASE("atomics on floats keep denormals") {
  const std::string text =
      "#version 450\n#extension GL_EXT_shader_atomic_float : require\n"
      "layout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { float sum; };\n"
      "void main() { atomicAdd(sum, uintBitsToFloat(3u)); }\n";
  std::vector<std::uint32_t> sum{1};
  Shader::from_glsl(text).bind(0, sum).dispatch({2});
  CHECK(sum[0] == 1 + 8 * 3);
}
