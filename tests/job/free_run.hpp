#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <spirv/unified1/GLSL.std.450.h>

#include "capture/job/job.hpp"
#include "job/numbers.hpp"
#include "oracle/formulas.hpp"
#include "support/walker/freedom.hpp"
#include "support/walker/number.hpp"
#include "support/walker/walker.hpp"

/// \file
/// Whole jobs on a device that uses its freedom: the reference runs the shader, and each operation's result is one that
/// Vulkan's table or formulas allow.

namespace lockstep::test {

/// Rounds either way, adds lanes in any order, and computes what has RelaxedPrecision with 16 bits or not. It rearranges
/// nothing and fuses nothing.
class FreeOperations : public walker::Freedom {
 public:
  explicit FreeOperations(std::uint64_t seed) : seed_(seed) {}

  std::optional<walker::Value> result(const walker::Module& module, const walker::Instruction& i,
                                      std::span<const walker::Value> x) override {
    if (i.type == 0 || !is_of_floats(module, i)) return {};
    const auto* f = formula_of(i);
    const bool dots = i.op == spv::Op::OpDot;
    if (f == nullptr && !dots) return {};
    for (const walker::Value& operand : x) {
      for (const walker::Scalar& s : operand.parts)
        if (!s.defined) return {};
    }
    const int width = module.scalar_type(i.type).width;
    const std::size_t first = i.op == spv::Op::OpExtInst ? 2 : 0;
    const int from = module.scalar_type(module.type_of.at(i.operands[first])).width;
    const bool half = width == 32 && is_relaxed(module, i) && device(i, 32).coin();
    oracle_test::LegalDevice& d = device(i, half ? 16 : width);
    walker::Value all;
    try {
      for (std::size_t k = 0; k < module.scalars(i.type); ++k) {
        Numbers of;
        if (dots) {
          of = products(x, from, d);
          all.parts.push_back(bits_of(in_any_order(of, true, d), width));
          continue;
        }
        for (const walker::Value& operand : x)
          of.push_back(number(operand.parts[operand.parts.size() == 1 ? 0 : k], from, i.op,
                              half ? &d : nullptr));
        all.parts.push_back(bits_of((*f)(of, d), width));
      }
    } catch (const oracle_test::Undefined&) {
      return {};
    } catch (const NoNumber&) {
      return {};
    }
    return all;
  }

  std::optional<walker::Scalar> combined(const walker::Instruction& i, int width,
                                         std::span<const walker::Scalar> values) override {
    const bool sum = i.op == spv::Op::OpGroupNonUniformFAdd;
    if ((!sum && i.op != spv::Op::OpGroupNonUniformFMul) || values.empty()) return {};
    oracle_test::LegalDevice& d = device(i, width);
    try {
      Numbers numbers;
      for (const walker::Scalar& s : values) {
        if (!s.defined) return {};
        numbers.push_back(number(s, width, i.op, nullptr));
      }
      return bits_of(in_any_order(numbers, sum, d), width);
    } catch (const oracle_test::Undefined&) {
      return {};
    } catch (const NoNumber&) {
      return {};
    }
  }

 private:
  using Numbers = oracle_test::Operands;
  using Real = oracle_test::Real;
  struct NoNumber {};

  static bool is_of_floats(const walker::Module& module, const walker::Instruction& i) {
    const walker::Type& type = module.type(i.type);
    const bool plain = type.kind == walker::Type::Kind::real ||
                       (type.kind == walker::Type::Kind::vector &&
                        module.type(type.element).kind == walker::Type::Kind::real);
    return plain && !i.operands.empty();
  }
  static bool is_relaxed(const walker::Module& module, const walker::Instruction& i) {
    const auto found = module.decorations.find(i.result);
    return found != module.decorations.end() &&
           found->second.has(spv::Decoration::RelaxedPrecision);
  }

  /// Rounds the same way in all invocations, one instruction so and another so: errors add up.
  oracle_test::LegalDevice& device(const walker::Instruction& i, int width) {
    const auto [found, added] = devices_.try_emplace({i.result, width},
                                                     width == 16   ? oracle::float16
                                                     : width == 32 ? oracle::float32
                                                                   : oracle::float64,
                                                     seed_ * 1000003 + i.result);
    if (added)
      found->second.lean(static_cast<int>((seed_ * 7919 + i.result * 104729) / 13 % 3) - 1);
    return found->second;
  }

  static const oracle_test::Formula* named(const char* name) {
    return &oracle_test::all_formulas().at(name);
  }
  static const oracle_test::Formula* formula_of(const walker::Instruction& i) {
    static const oracle_test::Formula rounded = [](const Numbers& r, oracle_test::LegalDevice& d) {
      return d.rounded(d.operand(r[0]));
    };
    switch (i.op) {
      case spv::Op::OpFAdd:
        return named("add");
      case spv::Op::OpFSub:
        return named("subtract");
      case spv::Op::OpFMul:
      case spv::Op::OpVectorTimesScalar:
        return named("multiply");
      case spv::Op::OpFDiv:
        return named("divide");
      case spv::Op::OpFMod:
        return named("mod");
      case spv::Op::OpFRem:
        return named("remainder");
      case spv::Op::OpConvertSToF:
      case spv::Op::OpConvertUToF:
      case spv::Op::OpFConvert:
        return &rounded;
      case spv::Op::OpExtInst:
        break;
      default:
        return nullptr;
    }
    static const std::map<std::uint32_t, const char*> functions{
        {GLSLstd450Fma, "fma"},         {GLSLstd450FMix, "mix"},
        {GLSLstd450Radians, "radians"}, {GLSLstd450Degrees, "degrees"},
        {GLSLstd450Fract, "fract"},     {GLSLstd450Pow, "pow"},
        {GLSLstd450Exp, "exp"},         {GLSLstd450Exp2, "exp2"},
        {GLSLstd450Log, "log"},         {GLSLstd450Log2, "log2"},
        {GLSLstd450Sqrt, "sqrt"},       {GLSLstd450InverseSqrt, "inversesqrt"},
        {GLSLstd450Sin, "sin"},         {GLSLstd450Cos, "cos"},
        {GLSLstd450Tan, "tan"},         {GLSLstd450SmoothStep, "smoothstep"},
    };
    const auto found = functions.find(i.operands[1]);
    return found == functions.end() ? nullptr : named(found->second);
  }

  /// An operand, which is rounded first where the operation has fewer bits.
  static Real number(const walker::Scalar& s, int width, spv::Op op,
                     oracle_test::LegalDevice* narrow) {
    if (op == spv::Op::OpConvertSToF) return Real(walker::sign_extended(s.bits, width));
    if (op == spv::Op::OpConvertUToF) return Real(s.bits);
    const double value = walker::to_double(s.bits, width);
    if (!(std::abs(value) <= std::numeric_limits<double>::max())) throw NoNumber();
    return narrow != nullptr ? narrow->rounded(Real(value)) : Real(value);
  }
  static walker::Scalar bits_of(const Real& x, int width) {
    return {walker::from_double(x.convert_to<double>(), width)};
  }

  static Numbers products(std::span<const walker::Value> x, int width,
                          oracle_test::LegalDevice& d) {
    Numbers all;
    for (std::size_t k = 0; k < x[0].parts.size(); ++k)
      all.push_back(d.multiply(number(x[0].parts[k], width, spv::Op::OpDot, nullptr),
                               number(x[1].parts[k], width, spv::Op::OpDot, nullptr)));
    return all;
  }
  static Real in_any_order(Numbers r, bool sum, oracle_test::LegalDevice& d) {
    std::shuffle(r.begin(), r.end(), d.random());
    while (r.size() > 1) {
      const std::size_t k = d.random()() % (r.size() - 1);
      r[k] = sum ? d.add(r[k], r.back()) : d.multiply(r[k], r.back());
      r.pop_back();
    }
    return r[0];
  }

  std::uint64_t seed_;
  std::map<std::pair<walker::Id, int>, oracle_test::LegalDevice> devices_;
};

/// The least and the greatest number that each element of a job's buffers got in some runs.
class FreeRuns {
 public:
  explicit FreeRuns(const job::Job& job) : job_(job) {}

  /// Whether some run gave the number, or runs gave numbers on both sides of it.
  bool hold(std::size_t binding, std::size_t index, double number) {
    if (!has_run_) run();
    if (seen_.empty()) return false;
    const auto& [low, high] = seen_[binding][index];
    return low <= number && number <= high;
  }

 private:
  static constexpr std::uint64_t runs = 24;

  void run() {
    has_run_ = true;
    // The reference has invocations in the order of lanes, and buffers only.
    if (!job_.lanes.empty()) return;
    for (const job::Binding& b : job_.bindings)
      if (b.image || !b.sampler.empty()) return;
    std::vector<std::vector<std::pair<double, double>>> seen(job_.bindings.size());
    for (std::size_t k = 0; k < seen.size(); ++k)
      seen[k].resize(
          job_.bindings[k].input.size() / io::bytes_of(job_.bindings[k].type),
          {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
    try {
      for (std::uint64_t seed = 0; seed < runs; ++seed) add(seed, seen);
    } catch (const std::exception&) {
      return;  // an instruction that the reference does not know
    }
    seen_ = std::move(seen);
  }

  void add(std::uint64_t seed, std::vector<std::vector<std::pair<double, double>>>& seen) const {
    std::vector<std::vector<std::byte>> contents;
    for (const job::Binding& b : job_.bindings) contents.push_back(b.input);
    walker::Job walked{.words = job_.words, .entry = job_.entry};
    for (const job::Constant& c : job_.constants) walked.spec[c.id] = c.bits;
    for (std::size_t k = 0; k < contents.size(); ++k)
      walked.bindings.push_back({job_.bindings[k].set, job_.bindings[k].binding, contents[k]});
    walked.push_constants = job_.push_constants;
    walked.workgroups = {job_.groups.x, job_.groups.y, job_.groups.z};
    walked.subgroup_size = job_.subgroup_size;
    FreeOperations operations(seed);
    walked.freedom = &operations;
    walker::walk(walked);
    for (std::size_t k = 0; k < contents.size(); ++k) {
      const npy::Dtype type = job_.bindings[k].type;
      if (!is_float(type)) continue;
      for (std::size_t n = 0; n < seen[k].size(); ++n) {
        auto& [low, high] = seen[k][n];
        const double got = number_at(contents[k], type, n);
        low = std::min(low, got);
        high = std::max(high, got);
      }
    }
  }

  const job::Job& job_;
  bool has_run_ = false;
  std::vector<std::vector<std::pair<double, double>>> seen_;  ///< by binding and element
};

}  // namespace lockstep::test
