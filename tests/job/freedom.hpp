#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/job/replay.hpp"
#include "job/free_run.hpp"
#include "job/identities.hpp"
#include "job/numbers.hpp"
#include "job/sampled_device.hpp"
#include "oracle/formulas.hpp"

/// \file
/// Whether a number is one that a conforming device may give for an element of a job, shown without the oracle: by a device
/// that uses its freedom at random and gives the number, or numbers on both sides of it. The jobs of single functions, of
/// arithmetic, of identities, of sums and products between lanes, and of images through samplers but for cubes, gathers,
/// comparisons and gradients are restated here; others are run as they are (free_run.hpp).

namespace lockstep::test {

/// The lanes that take part in an element of group.comp: those of the subgroup, up to the lane in a scan, of its side where
/// lanes diverged.
inline std::vector<std::size_t> lanes_of_group(const job::Job& job, std::size_t index) {
  const auto size = static_cast<std::size_t>(job.subgroup_size);
  const std::size_t part = index / 64, lane = index % 64, begin = lane / size * size;
  const auto in_first = [](std::size_t i) { return i % 3 != 1 && i != 40; };
  const bool diverged = part >= 3, first = in_first(lane);
  const bool inclusive = part == 1 || part == 4 || (part == 3 && !first);
  const bool exclusive = part == 2 || part == 5;
  std::vector<std::size_t> lanes;
  for (std::size_t i = begin; i < std::min<std::size_t>(64, begin + size); ++i) {
    if (diverged && in_first(i) != first) continue;
    if ((inclusive && i > lane) || (exclusive && i >= lane)) continue;
    lanes.push_back(i);
  }
  return lanes;
}

class Freedom {
 public:
  explicit Freedom(const job::Job& job)
      : job_(job), name_(job.name.substr(0, job.name.find('.'))), runs_(job) {}

  /// What lets a device give the number; empty if nothing is known to.
  std::string allows(std::size_t binding, std::size_t index, double number) {
    auto [found, is_new] = known_.try_emplace({binding, index});
    Known& known = found->second;
    if (is_new) known = known_of(binding, index);
    if (known.of.empty()) {
      if (!is_float(job_.bindings[binding].type) || !runs_.hold(binding, index, number)) return {};
      return is_from("mediump") ? "whole shaders, with 16 bits"
                                : "whole shaders, rounded and ordered otherwise";
    }
    for (; known.draws < most_draws && !known.holds(number); ++known.draws) known.draw();
    return known.holds(number) ? known.of : "";
  }

 private:
  using Real = oracle_test::Real;
  using Numbers = oracle_test::Operands;
  using Device = oracle_test::LegalDevice;
  using Formula = oracle_test::Formula;

  static constexpr int most_draws = 600;

  /// What has been seen of an element.
  struct Known {
    std::string of;
    Formula formula = {};
    Numbers operands = {};
    Device device = Device(oracle::float32, 1);
    bool inherits =
        true;  ///< numbers as far from the exact one on its other side are allowed as well
    bool anything = false;
    int draws = 0;
    Real exact = 0, low = 0, high = 0;

    bool holds(double number) const { return anything || (low <= number && number <= high); }
    void draw() {
      try {
        const Real got = formula(operands, device);
        low = std::min(low, got);
        high = std::max(high, got);
        if (!inherits) return;
        const Real error = std::max(Real(exact - low), Real(high - exact));
        low = exact - error;
        high = exact + error;
      } catch (const oracle_test::Undefined&) {
        anything = true;
      }
    }
  };

  bool is_from(const char* shader) const {
    return job_.source.ends_with(std::string("/") + shader + ".comp");
  }
  double input(std::size_t binding, std::size_t index) const {
    const job::Binding& from = job_.bindings[binding];
    return number_at(from.input, from.type, index);
  }

  Known known_of(std::size_t binding, std::size_t index) const {
    if (!is_float(job_.bindings[binding].type)) return {};
    Known known;
    if (is_from("unary") || is_from("binary") || is_from("ternary"))
      find_function(known, binding, index);
    else if (is_from("arithmetic"))
      find_arithmetic(known, binding, index);
    else if (is_from("identities"))
      find_identity(known, index);
    else if (is_from("geometric"))
      find_geometric(known, index);
    else if (is_from("group"))
      find_group(known, index);
    else if (SampledDevice::knows(job_))
      find_sampled(known, index);
    if (known.of.empty() || known.anything) return known;
    const oracle::Format& format = format_of(job_.bindings[binding].type);
    Device exact = Device::exact(format);
    known.exact = known.low = known.high = known.formula(known.operands, exact);
    known.device = Device(format, 64 * binding + index);
    return known;
  }

  /// The output follows the operands' bindings.
  void find_function(Known& known, std::size_t binding, std::size_t index) const {
    const auto found = oracle_test::all_formulas().find(name_);
    if (found == oracle_test::all_formulas().end()) return;
    known.of = "`" + name_ + "`";
    known.formula = found->second;
    for (std::size_t k = 0; k < binding; ++k) known.operands.emplace_back(input(k, index));
    constexpr double pi = 3.14159265358979323846;
    if ((name_ == "sin" || name_ == "cos") && std::abs(input(0, index)) > pi) {
      known.of = "`sin`, `cos` beyond pi";
      known.anything = true;
    }
  }

  void find_arithmetic(Known& known, std::size_t binding, std::size_t index) const {
    using R = const Numbers&;
    using D = Device&;
    static const std::vector<Formula> free{
        [](R r, D d) { return d.fused(r[0], r[1], r[2]); },
        [](R r, D d) {
          if (d.coin()) return d.fused(r[0], r[1], d.multiply(r[2], r[3]));
          return d.fused(r[2], r[3], d.multiply(r[0], r[1]));
        },
        [](R r, D d) {
          if (d.coin()) return d.multiply(r[0], d.add(r[1], r[2]));
          if (d.coin()) return d.fused(r[0], r[1], d.multiply(r[0], r[2]));
          return d.fused(r[0], r[2], d.multiply(r[0], r[1]));
        },
        [](R r, D d) { return d.coin() ? r[1] : d.add(d.add(r[0], r[1]), -r[0]); },
        [](R r, D d) { return d.coin() ? r[1] : d.add(r[0], -d.add(r[0], -r[1])); },
        [](R r, D d) { return d.coin() ? r[0] : d.multiply(quotient(r[0], r[1], d), r[1]); },
        [](R r, D d) { return quotient(r[0], 3, d); },
        [](R r, D d) {
          if (d.coin()) return d.multiply(d.add(r[0], r[1]), d.add(r[0], -r[1]));
          if (d.coin()) return d.fused(r[0], r[0], -d.multiply(r[1], r[1]));
          return d.fused(-r[1], r[1], d.multiply(r[0], r[0]));
        },
        [](R r, D d) { return in_any_order(r, &Device::add, d); },
        [](R r, D d) { return in_any_order(r, &Device::multiply, d); },
        [](R r, D d) { return quotient(r[0], r[1], d); },
        [](R r, D d) { return d.fused(-r[0], r[1], -r[2]); },
    };
    static const std::vector<Formula> precise{
        [](R r, D d) { return d.add(d.multiply(r[0], r[1]), r[2]); },
        [](R r, D d) { return d.add(d.add(r[0], r[1]), -r[0]); },
        [](R r, D d) { return d.add(r[0], -d.add(r[0], -r[1])); },
        [](R r, D d) { return d.add(d.multiply(r[0], r[1]), d.multiply(r[2], r[3])); },
        [](R r, D d) { return d.add(d.add(r[0], r[1]), d.add(r[2], r[3])); },
        [](R r, D d) { return d.multiply(d.multiply(d.multiply(r[0], r[1]), r[2]), r[3]); },
    };
    known.of = binding == 1 ? "arithmetic, fused and rearranged" : "arithmetic, `precise`";
    known.formula = (binding == 1 ? free : precise).at(index / 64);
    for (std::size_t k = 0; k < 4; ++k) known.operands.emplace_back(input(0, index % 64 + 64 * k));
    known.inherits = false;
  }

  void find_identity(Known& known, std::size_t index) const {
    const std::size_t lane = index % 64;
    known.of = "identities of arithmetic";
    known.formula = identities().at(index / 64);
    known.operands = {input(0, lane), input(0, lane + 64)};
    for (std::size_t k = 0; k < 6; ++k) known.operands.emplace_back(input(0, (lane + k) % 64));
    known.inherits = false;
  }

  static Real dot(const Numbers& r, std::size_t a, std::size_t b, Device& d) {
    std::array<std::size_t, 3> order{0, 1, 2};
    std::shuffle(order.begin(), order.end(), d.random());
    Real sum = d.multiply(r[a + order[0]], r[b + order[0]]);
    for (const std::size_t k : {order[1], order[2]}) sum = d.fused(r[a + k], r[b + k], sum);
    return sum;
  }

  /// Operands are the components of both vectors.
  void find_geometric(Known& known, std::size_t index) const {
    const std::size_t lane = index / 3 % 64, c = index % 3;
    for (const std::size_t at : {lane, lane + 1, lane + 2, lane + 3, lane + 64, lane + 65})
      known.operands.emplace_back(input(0, at));
    using R = const Numbers&;
    using D = Device&;
    switch (index / 192) {
      case 0:
        known.of = c == 0 ? "`length`" : c == 1 ? "`distance`" : "`dot`";
        if (c == 0) known.formula = [](R r, D d) { return d.sqrt(dot(r, 0, 0, d)); };
        if (c == 1)
          known.formula = [](R r, D d) {
            Numbers by;
            for (std::size_t k = 0; k < 3; ++k) by.push_back(d.add(r[k], -r[k + 3]));
            return d.sqrt(dot(by, 0, 0, d));
          };
        if (c == 2) known.formula = [](R r, D d) { return dot(r, 0, 3, d); };
        return;
      case 1:
        known.of = "`normalize`";
        known.formula = [c](R r, D d) { return d.multiply(r[c], d.inverse_sqrt(dot(r, 0, 0, d))); };
        return;
      case 2:
        known.of = "`cross`";
        known.formula = [c](R r, D d) {
          const std::size_t y = (c + 1) % 3, z = (c + 2) % 3;
          if (d.coin()) return d.fused(r[y], r[z + 3], -d.multiply(r[y + 3], r[z]));
          return d.fused(-r[y + 3], r[z], d.multiply(r[y], r[z + 3]));
        };
        return;
      case 3:
        known.of = "`reflect`";
        known.formula = [c](R r, D d) { return d.fused(-2 * dot(r, 3, 0, d), r[c + 3], r[c]); };
        return;
      default:
        return;
    }
  }

  void find_group(Known& known, std::size_t index) const {
    const bool product = name_.find("Mul") != name_.npos;
    if (!product && name_.find("Add") == name_.npos) return;
    for (const std::size_t lane : lanes_of_group(job_, index))
      known.operands.emplace_back(input(0, lane));
    if (known.operands.empty()) known.operands.emplace_back(product ? 1 : 0);
    known.of =
        product ? "products between lanes, in any order" : "sums between lanes, in any order";
    known.formula = [product](const Numbers& r, Device& d) {
      return in_any_order(r, product ? &Device::multiply : &Device::add, d);
    };
    known.inherits = false;
  }

  void find_sampled(Known& known, std::size_t index) const {
    known.of = "places between texels and levels";
    known.formula = [device = SampledDevice(job_), index](const Numbers&, Device& d) {
      return Real(device.result(index, d));
    };
    known.inherits = false;
  }

  static Real quotient(const Real& a, const Real& b, Device& d) {
    return d.coin() ? d.divide(a, b) : d.multiply(a, d.divide(1, b));
  }
  static Real in_any_order(Numbers r, Real (Device::*combine)(const Real&, const Real&),
                           Device& d) {
    while (r.size() > 1) {
      const std::size_t k = d.random()() % (r.size() - 1);
      std::swap(r[d.random()() % (r.size() - 1)], r.back());
      r[k] = (d.*combine)(r[k], r.back());
      r.pop_back();
    }
    return r[0];
  }

  const job::Job& job_;
  std::string name_;
  FreeRuns runs_;
  std::map<std::pair<std::size_t, std::size_t>, Known> known_;
};

}  // namespace lockstep::test
