#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// DenormFlushToZero and RoundingModeRTZ, in each width and for each kind of machine code. Expected values come from the
/// processor's own rounding (fesetround) on doubles and floats; those of 16 bits are cut off by a table of all of them.

using namespace lockstep;

namespace {

// ---- Numbers of 16 bits ----

double number_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  const double size = exponent == 0     ? std::ldexp(fraction, -24)
                      : exponent < 0x1f ? std::ldexp(fraction + 1024, exponent - 25)
                                        : (fraction == 0 ? HUGE_VAL : std::nan(""));
  return (bits & 0x8000) != 0 ? -size : size;
}
/// The sizes of all finite ones, which rise with their bits.
const std::vector<double>& sizes_of_halves() {
  static const std::vector<double> all = [] {
    std::vector<double> sizes;
    for (std::uint16_t bits = 0; bits < 0x7c00; ++bits) sizes.push_back(number_of_half(bits));
    return sizes;
  }();
  return all;
}
/// The nearest half, or that towards zero.
std::uint16_t half_of(double x, bool to_zero) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x)) return 0x7e00;
  if (std::isinf(x)) return sign | 0x7c00;
  const auto& all = sizes_of_halves();
  auto below = std::upper_bound(all.begin(), all.end(), std::abs(x)) - 1;
  const auto bits = static_cast<std::uint16_t>(below - all.begin());
  if (to_zero || *below == std::abs(x)) return sign | bits;
  const double above = bits + 1 == 0x7c00 ? 65536 : *(below + 1);
  const double down = std::abs(x) - *below, up = above - std::abs(x);
  const bool goes_up = up < down || (up == down && bits % 2 == 1);
  return static_cast<std::uint16_t>(sign | (bits + (goes_up ? 1 : 0)));
}

// ---- What each width computes ----

/// While it lives, the processor rounds towards zero, if it shall.
class Rounding {
 public:
  explicit Rounding(bool to_zero) { std::fesetround(to_zero ? FE_TOWARDZERO : FE_TONEAREST); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;
};

enum class Sum { add, sub, mul, div, fma, sqrt, dot };
constexpr std::size_t sums = 7;

/// The compiler must not move the operations, so all numbers are volatile.
template <class T>
T computed(Sum sum, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  switch (sum) {
    case Sum::add:
      result = a + b;
      break;
    case Sum::sub:
      result = a - b;
      break;
    case Sum::mul:
      result = a * b;
      break;
    case Sum::div:
      result = a / b;
      break;
    case Sum::fma:
      result = std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
      break;
    case Sum::sqrt:
      result = std::sqrt(static_cast<T>(a));
      break;
    case Sum::dot:  // of products and a sum
      break;
  }
  return result;
}

struct Mode {
  bool to_zero = false, flushes = false;
};

template <class Bits>
struct Width;
template <>
struct Width<std::uint16_t> {
  static constexpr const char* type = "float16_t";
  static constexpr const char* pair = "f16vec2";
  static constexpr int digits = 10;
  static double number(std::uint16_t bits) { return number_of_half(bits); }
  /// A double has room for sums and products of halves; the rest is cut off twice, or rounded to nearest twice where
  /// the first has more than twice the digits.
  static std::uint16_t result(Sum sum, std::uint16_t x, std::uint16_t y, std::uint16_t z,
                              bool to_zero) {
    const Rounding rounding(to_zero);
    return half_of(computed<double>(sum, number(x), number(y), number(z)), to_zero);
  }
};
template <class Bits, class Float>
struct NativeWidth {
  static Float number(Bits bits) { return std::bit_cast<Float>(bits); }
  static Bits result(Sum sum, Bits x, Bits y, Bits z, bool to_zero) {
    const Rounding rounding(to_zero);
    return std::bit_cast<Bits>(computed<Float>(sum, number(x), number(y), number(z)));
  }
};
template <>
struct Width<std::uint32_t> : NativeWidth<std::uint32_t, float> {
  static constexpr const char* type = "float";
  static constexpr const char* pair = "vec2";
  static constexpr int digits = 23;
};
template <>
struct Width<std::uint64_t> : NativeWidth<std::uint64_t, double> {
  static constexpr const char* type = "double";
  static constexpr const char* pair = "dvec2";
  static constexpr int digits = 52;
};

template <class Bits>
constexpr int bits_of = static_cast<int>(8 * sizeof(Bits));
template <class Bits>
constexpr Bits sign_of = static_cast<Bits>(Bits{1} << (bits_of<Bits> - 1));

template <class Bits>
Bits flushed(Bits x, bool flushes) {
  const Bits size = static_cast<Bits>(x & static_cast<Bits>(~sign_of<Bits>));
  return flushes && size >> Width<Bits>::digits == 0 ? static_cast<Bits>(x & sign_of<Bits>) : x;
}

template <class Bits>
Bits expected(Sum sum, std::array<Bits, 3> x, Mode mode) {
  for (Bits& each : x) each = flushed(each, mode.flushes);
  if (sum != Sum::dot)
    return flushed(Width<Bits>::result(sum, x[0], x[1], x[2], mode.to_zero), mode.flushes);
  const Bits a = expected(Sum::mul, x, mode),
             b = expected(Sum::mul, std::array<Bits, 3>{x[1], x[2], x[0]}, mode);
  return expected(Sum::add, std::array<Bits, 3>{a, b, 0}, mode);
}

// ---- Shaders ----

constexpr int flush_mode = 4460, flush_capability = 4465, to_zero_mode = 4463,
              to_zero_capability = 4468;

std::string mode_text(int capability, int mode, int bits) {
  return fmt::format(
      "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [{}], {}, "
      "{});\n",
      capability, mode, bits);
}
std::string modes_of(Mode mode, int bits) {
  std::string text;
  if (mode.flushes) text += mode_text(flush_capability, flush_mode, bits);
  if (mode.to_zero) text += mode_text(to_zero_capability, to_zero_mode, bits);
  return text;
}

std::string shader(const std::string& modes, const std::string& rest) {
  std::string text = "#version 450\n#extension GL_EXT_spirv_intrinsics : require\n";
  for (const char* extension :
       {"GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_16bit_storage",
        "GL_KHR_shader_subgroup_arithmetic", "GL_EXT_shader_subgroup_extended_types_float16",
        "GL_EXT_shader_atomic_float"})
    text += fmt::format("#extension {} : enable\n", extension);
  return text + modes + "layout(local_size_x = 32) in;\n" + rest;
}

/// Three operands for each element: special ones with special ones, numbers of any size, and of sizes that are close.
template <class Bits>
std::vector<Bits> operands() {
  constexpr int digits = Width<Bits>::digits;
  const Bits leading = static_cast<Bits>(Bits{1} << digits);
  const Bits infinite = static_cast<Bits>(sign_of<Bits> - leading);
  const Bits one = static_cast<Bits>((sign_of<Bits> >> 1) - leading);
  std::vector<Bits> special{
      0,
      1,
      2,
      static_cast<Bits>(leading - 1),
      leading,
      static_cast<Bits>(leading + 1),
      static_cast<Bits>(leading * 2),
      static_cast<Bits>(one - leading),
      static_cast<Bits>(one - 1),
      one,
      static_cast<Bits>(one + 1),
      static_cast<Bits>(one + leading + 1),
      static_cast<Bits>(one + digits * leading),
      static_cast<Bits>(one + (digits + 1) * leading),
      static_cast<Bits>(infinite - leading),
      static_cast<Bits>(infinite - 1),
      infinite,
      static_cast<Bits>(infinite + leading / 2),
  };
  for (std::size_t k = 0, n = special.size(); k < n; ++k)
    special.push_back(static_cast<Bits>(special[k] | sign_of<Bits>));
  std::vector<Bits> all;
  std::mt19937_64 random(7);
  const auto any_special = [&] { return special[random() % special.size()]; };
  for (const Bits a : special)
    for (const Bits b : special) all.insert(all.end(), {a, b, any_special()});
  for (int k = 0; k < 2000; ++k) {
    const auto a = static_cast<Bits>(random());
    const bool is_close = k % 2 == 0;
    for (int n = 0; n < 3; ++n) {
      const auto low = static_cast<Bits>(random() & (leading - 1));
      const auto sign = static_cast<Bits>(random() % 2 == 0 ? sign_of<Bits> : 0);
      const auto exponent = static_cast<Bits>((random() % 5) * leading + one - 2 * leading);
      all.push_back(is_close ? static_cast<Bits>(sign | (exponent + low))
                    : n == 0 ? a
                             : static_cast<Bits>(random()));
    }
  }
  while (all.size() / 3 % 32 != 0) all.push_back(one);
  return all;
}

template <class Bits>
bool is_nan(Bits x) {
  return std::isnan(static_cast<double>(Width<Bits>::number(x)));
}

template <class Bits>
void check_sums(Mode mode) {
  using W = Width<Bits>;
  const std::vector<Bits> in = operands<Bits>();
  const std::size_t count = in.size() / 3;
  const std::string text = shader(
      modes_of(mode, bits_of<Bits>),
      fmt::format("#define T {}\n#define Pair {}\n", W::type, W::pair) +
          "layout(binding = 0) buffer In { T x[]; };\nlayout(binding = 1) buffer Out { T y[]; };\n"
          "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
          "  T a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];\n"
          "  y[7 * i] = a + b;\n  y[7 * i + 1] = a - b;\n  y[7 * i + 2] = a * b;\n"
          "  y[7 * i + 3] = a / b;\n  y[7 * i + 4] = fma(a, b, c);\n  y[7 * i + 5] = sqrt(a);\n"
          "  y[7 * i + 6] = dot(Pair(a, b), Pair(b, c));\n}\n");
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    auto made = Shader::from_glsl(text);
    std::vector<Bits> out(sums * count);
    made.bind(0, in).bind(1, out).dispatch({static_cast<std::uint32_t>(count / 32)},
                                           {.subgroup_size = 32});
    CAPTURE(W::type, name_of(target), mode.to_zero, mode.flushes);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count && wrong < 5; ++i) {
      for (std::size_t k = 0; k < sums; ++k) {
        const std::array<Bits, 3> x{in[3 * i], in[3 * i + 1], in[3 * i + 2]};
        const Bits want = expected(static_cast<Sum>(k), x, mode), got = out[sums * i + k];
        if (got == want || (is_nan(got) && is_nan(want))) continue;
        ++wrong;
        CAPTURE(k, x[0], x[1], x[2]);
        CHECK(got == want);
      }
    }
  }
}

}  // namespace

TEST_CASE("arithmetic rounds to zero and flushes denormals as the modes of its width say") {
  for (const Mode mode : {Mode{}, Mode{.to_zero = true}, Mode{.flushes = true},
                          Mode{.to_zero = true, .flushes = true}}) {
    check_sums<std::uint16_t>(mode);
    check_sums<std::uint32_t>(mode);
    check_sums<std::uint64_t>(mode);
  }
}

TEST_CASE("a mode of one width leaves the others as they are") {
  const std::string rest =
      "layout(binding = 0) buffer F { float f[]; };\n"
      "layout(binding = 1) buffer D { double d[]; };\n"
      "layout(binding = 2) buffer H { float16_t h[]; };\n"
      "void main() {\n  if (gl_LocalInvocationIndex != 0) return;\n"
      "  f[1] = f[0] * 0.5;\n  d[1] = d[0] * 0.5LF;\n  h[1] = h[0] * 0.5HF;\n"
      "  f[3] = 1.0 / f[2];\n  d[3] = 1.0LF / d[2];\n  h[3] = 1.0HF / h[2];\n}\n";
  for (const int bits : {0, 16, 32, 64}) {
    INFO("modes of " << bits << " bits");
    const std::string modes = bits == 0 ? "" : modes_of({.to_zero = true, .flushes = true}, bits);
    // The smallest normal number; and 1 / 29, which is rounded up in each width.
    std::vector<float> f{0x1p-126f, 9, 29, 9};
    std::vector<double> d{0x1p-1022, 9, 29, 9};
    std::vector<std::uint16_t> h{0x0400, 9, half_of(29, true), 9};
    Shader::from_glsl(shader(modes, rest)).bind(0, f).bind(1, d).bind(2, h).dispatch({1});
    CHECK(f[1] == (bits == 32 ? 0 : 0x1p-127f));
    CHECK(d[1] == (bits == 64 ? 0 : 0x1p-1023));
    CHECK(h[1] == (bits == 16 ? 0 : 0x0200));
    const auto want = [&](int width, auto one, auto by) {
      const Rounding rounding(bits == width);
      return computed(Sum::div, one, by, by);
    };
    CHECK(f[3] == want(32, 1.0f, 29.0f));
    CHECK(d[3] == want(64, 1.0, 29.0));
    CHECK(h[3] == half_of(1.0 / 29, bits == 16));
  }
}

TEST_CASE("conversions round to zero by the mode of their result") {
  const std::string rest =
      "layout(binding = 0) buffer D { double d[]; };\nlayout(binding = 1) buffer I { int64_t n[]; "
      "};\n"
      "layout(binding = 2) buffer F { float f[]; };\n"
      "layout(binding = 3) buffer H { float16_t h[]; };\n"
      "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
      "  f[4 * i] = float(d[i]);\n  f[4 * i + 1] = float(n[i]);\n"
      "  f[4 * i + 2] = float(uint64_t(n[i]));\n  f[4 * i + 3] = float(int(n[i]));\n"
      "  h[i] = float16_t(float(d[i]) * 1.0);\n}\n";
  constexpr std::size_t count = 256;
  std::mt19937_64 random(3);
  std::vector<double> d;
  std::vector<std::int64_t> n;
  for (std::size_t k = 0; k < count; ++k) {
    const auto bits = static_cast<std::int64_t>(random());
    n.push_back(bits >> (k % 64));
    const double x = static_cast<double>(bits) * 0x1p-63;
    d.push_back(std::ldexp(x, static_cast<int>(k % 48) - 24));
  }
  d[0] = 1e300, d[1] = -1e300, d[2] = 1e-300, d[3] = -HUGE_VAL, d[4] = 0, d[5] = 65519.9;
  d[6] = 0x1.fffffffp127, d[7] = 0x1.8p-149, d[8] = 0x1.fffp-127, d[9] = 70000;
  // glslang keeps one mode of each kind.
  for (const int bits : {0, 16, 32}) {
    for (const spirv::Target target : test::native_targets()) {
      const test::WithNative native(target);
      CAPTURE(bits, name_of(target));
      std::vector<float> f(4 * count);
      std::vector<std::uint16_t> h(count);
      Shader::from_glsl(shader(modes_of({.to_zero = bits != 0}, bits), rest))
          .bind(0, d)
          .bind(1, n)
          .bind(2, f)
          .bind(3, h)
          .dispatch({count / 32});
      for (std::size_t i = 0; i < count; ++i) {
        const Rounding rounding(bits == 32);
        volatile double from = d[i];
        volatile std::int64_t whole = n[i];
        volatile auto narrow = static_cast<float>(from);
        volatile auto of_signed = static_cast<float>(whole);
        volatile auto of_unsigned = static_cast<float>(static_cast<std::uint64_t>(whole));
        volatile auto of_word = static_cast<float>(static_cast<std::int32_t>(whole));
        CAPTURE(i, d[i], n[i]);
        CHECK(f[4 * i] == narrow);
        CHECK(f[4 * i + 1] == of_signed);
        CHECK(f[4 * i + 2] == of_unsigned);
        CHECK(f[4 * i + 3] == of_word);
        CHECK(h[i] == half_of(static_cast<double>(narrow), bits == 16));
      }
    }
  }
}

TEST_CASE("functions and reductions flush, moves of bits don't") {
  // The smallest denormal, the largest, the smallest normal number, one.
  const std::string rest =
      "layout(binding = 0) buffer In { float x[]; };\nlayout(binding = 1) buffer Out { float y[]; "
      "};\n"
      "layout(binding = 2) buffer Bits { uint bits[]; };\n"
      "void main() {\n  if (gl_LocalInvocationIndex != 0) return;\n  float d = x[0];\n"
      "  y[0] = -d;\n  y[1] = abs(-x[1]);\n  y[2] = min(d, x[3]);\n  y[3] = max(-d, -x[3]);\n"
      "  y[4] = clamp(d, 0.0, 1.0);\n  y[5] = mix(d, x[1], 0.5);\n  y[6] = subgroupMin(x[1]);\n"
      "  y[7] = x[2] - x[1];\n  y[8] = x[1] * 16777216.0;\n  y[9] = exp2(-125.5 - x[3]);\n"
      "  y[10] = float(double(x[1]) * 0.5LF);\n  y[11] = x[2] * x[3];\n  y[12] = d;\n"
      "  y[13] = x[3] > 0.5 ? x[1] : x[2];\n  y[14] = subgroupBroadcastFirst(x[1]);\n"
      "  bits[0] = floatBitsToUint(d);\n}\n";
  const std::vector<std::uint32_t> in{1, 0x7fffff, 0x800000, 0x3f800000};
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    std::vector<std::uint32_t> out(16, 77), bits(1);
    std::string text = shader(modes_of({.flushes = true}, 32), rest);
    text.replace(text.find("#extension GL_KHR_shader_subgroup_arithmetic"), 0,
                 "#extension GL_KHR_shader_subgroup_ballot : enable\n");
    Shader::from_glsl(text).bind(0, in).bind(1, out).bind(2, bits).dispatch({1});
    const std::vector<std::uint32_t> want{0x80000000, 0,        0,        0x80000000, 0, 0,
                                          0,          0x800000, 0,        0,          0, 0x800000,
                                          1,          0x7fffff, 0x7fffff, 77};
    CAPTURE(name_of(target));
    CHECK(out == want);
    CHECK(bits[0] == 1);
  }
}

TEST_CASE("unpacked numbers of 16 bits flush by the mode of that width") {
  const std::string rest =
      "layout(binding = 0) buffer In { uint x[]; };\nlayout(binding = 1) buffer Out { uint y[]; "
      "};\n"
      "void main() {\n  uint i = gl_WorkGroupID.x * 32 + gl_LocalInvocationIndex;\n"
      "  vec2 v = unpackHalf2x16(x[i]);\n  y[2 * i] = floatBitsToUint(v.x);\n"
      "  y[2 * i + 1] = floatBitsToUint(v.y);\n}\n";
  // Every number is in the low and in the high half of a word.
  std::vector<std::uint32_t> in(1 << 16);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k | (k ^ 0x8001) << 16;
  for (const int bits : {0, 16, 32}) {
    for (const spirv::Target target : test::native_targets()) {
      const test::WithNative native(target);
      CAPTURE(bits, name_of(target));
      std::vector<std::uint32_t> out(2 * in.size());
      Shader::from_glsl(shader(modes_of({.flushes = bits != 0}, bits), rest))
          .bind(0, in)
          .bind(1, out)
          .dispatch({static_cast<std::uint32_t>(in.size() / 32)});
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < out.size(); ++k) {
        const auto half = static_cast<std::uint16_t>(in[k / 2] >> (k % 2 * 16));
        const bool denormal = (half & 0x7c00) == 0;
        const double number =
            denormal && bits == 16 ? (half & 0x8000 ? -0.0 : 0.0) : number_of_half(half);
        const auto want = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        const bool nan = (half & 0x7fff) > 0x7c00;
        if (nan ? !std::isnan(std::bit_cast<float>(out[k])) : out[k] != want) ++wrong;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("each entry point has modes of its own") {
  const auto function = [](const std::string& name) {
    return "%" + name + " = OpFunction %void None %main_type\n%" + name + "_block = OpLabel\n%" +
           name + "_from = OpAccessChain %to_float %buffer %zero %zero\n%" + name +
           "_to = OpAccessChain %to_float %buffer %zero %one\n%" + name + "_x = OpLoad %float %" +
           name + "_from\n%" + name + "_y = OpFMul %float %" + name + "_x %half\nOpStore %" + name +
           "_to %" + name + "_y\nOpReturn\nOpFunctionEnd\n";
  };
  const std::string text =
      "OpCapability Shader\nOpCapability DenormFlushToZero\n"
      "OpExtension \"SPV_KHR_float_controls\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %keeps \"keeps\" %buffer\n"
      "OpEntryPoint GLCompute %flushes \"flushes\" %buffer\n"
      "OpExecutionMode %keeps LocalSize 1 1 1\nOpExecutionMode %flushes LocalSize 1 1 1\n"
      "OpExecutionMode %flushes DenormFlushToZero 32\n"
      "OpDecorate %numbers ArrayStride 4\nOpDecorate %block Block\n"
      "OpMemberDecorate %block 0 Offset 0\nOpDecorate %buffer DescriptorSet 0\n"
      "OpDecorate %buffer Binding 0\n%void = OpTypeVoid\n%main_type = OpTypeFunction %void\n"
      "%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%zero = OpConstant %uint 0\n"
      "%one = OpConstant %uint 1\n%half = OpConstant %float 0.5\n"
      "%numbers = OpTypeRuntimeArray %float\n%block = OpTypeStruct %numbers\n"
      "%to_block = OpTypePointer StorageBuffer %block\n"
      "%to_float = OpTypePointer StorageBuffer %float\n"
      "%buffer = OpVariable %to_block StorageBuffer\n" +
      function("keeps") + function("flushes");
  const auto module = lockstep::Module::from_assembly(text);
  for (const bool flushes : {false, true}) {
    std::vector<float> numbers{0x1p-126f, 9};
    const Pipeline pipeline(module, {.entry = flushes ? "flushes" : "keeps", .subgroup_size = 4});
    DescriptorTable table;
    table.bind(0, numbers);
    pipeline.dispatch(table, {.workgroups = {1, 1, 1}});
    CHECK(numbers[1] == (flushes ? 0 : 0x1p-127f));
  }
}

namespace {

/// What is in memory after one atomic.
template <class Bits>
Bits after_atomic(const std::string& function, Bits old, Bits value, Mode mode) {
  if (function == "atomicAdd") return expected(Sum::add, std::array<Bits, 3>{old, value, 0}, mode);
  const Bits a = flushed(old, mode.flushes), b = flushed(value, mode.flushes);
  const double x = static_cast<double>(Width<Bits>::number(a)),
               y = static_cast<double>(Width<Bits>::number(b));
  const bool takes = function == "atomicMin" ? y < x : y > x;
  return takes || std::isnan(x) ? b : a;
}

template <class Bits>
void check_atomic(const std::string& function, Mode mode) {
  const std::vector<Bits> in = operands<Bits>();
  const std::size_t count = in.size() / 3;
  const std::string text = shader(
      "#extension GL_EXT_shader_atomic_float2 : enable\n" + modes_of(mode, bits_of<Bits>),
      fmt::format("#define T {}\n#define F {}\n", Width<Bits>::type, function) +
          "layout(binding = 0) buffer In { T x[]; };\nlayout(binding = 1) buffer Out { T y[]; };\n"
          "layout(binding = 2) buffer Sum { T z[]; };\n"
          "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
          "  y[i] = F(z[i], x[3 * i + 1]);\n}\n");
  std::vector<Bits> returned(count), memory(count);
  for (std::size_t k = 0; k < count; ++k) memory[k] = in[3 * k];
  Shader::from_glsl(text)
      .bind(0, in)
      .bind(1, returned)
      .bind(2, memory)
      .dispatch({static_cast<std::uint32_t>(count / 32)});
  for (std::size_t k = 0; k < count; ++k) {
    const Bits old = in[3 * k], value = in[3 * k + 1];
    const Bits want = after_atomic(function, old, value, mode);
    CAPTURE(function, bits_of<Bits>, mode.to_zero, mode.flushes, k, old, value);
    REQUIRE(returned[k] == old);
    REQUIRE((memory[k] == want || (is_nan(memory[k]) && is_nan(want))));
  }
}

}  // namespace

TEST_CASE("atomics on floats obey the modes") {
  for (const Mode mode : {Mode{}, Mode{.to_zero = true}, Mode{.flushes = true}, Mode{true, true}}) {
    for (const std::string function : {"atomicAdd", "atomicMin", "atomicMax"}) {
      check_atomic<std::uint16_t>(function, mode);
      check_atomic<std::uint32_t>(function, mode);
      check_atomic<std::uint64_t>(function, mode);
    }
  }
}

TEST_CASE("sums of several invocations' atomics are rounded towards zero") {
  // Of 1.75 units in the last place each addition keeps one.
  std::vector<float> sum{1};
  Shader::from_glsl(shader(modes_of({.to_zero = true}, 32),
                           "layout(binding = 0) buffer B { float sum; };\n"
                           "void main() { atomicAdd(sum, 2.0861626e-7); }\n"))
      .bind(0, sum)
      .dispatch({1});
  CHECK(sum[0] == 1 + 32 * 0x1p-23f);
}
