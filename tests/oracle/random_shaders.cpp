#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/expression.hpp"
#include "oracle/run_shader.hpp"

/// \file
/// Random shaders, run by a device that rounds, reorders, fuses and rewrites at random: nothing that it gives is wrong.
/// And what no device gives is.

namespace {

using namespace lockstep::oracle_test;
namespace oracle = lockstep::oracle;
namespace judgement = lockstep::judgement;
namespace mp = boost::multiprecision;

constexpr std::size_t lanes = 16, subgroup_size = 8, variables = 5;
/// The variables of each invocation, and what they were at the start.
using State = std::array<std::array<Real, 2 * variables>, lanes>;

/// A statement as GLSL, and what a device does.
struct Statement {
  std::string text;
  std::function<void(State&, LegalDevice&)> run;
};

std::string name(std::size_t variable) { return fmt::format("v{}", variable); }

std::string text_of(const Tree& tree, char variable) {
  if (tree.op == 'x') return fmt::format("{}{}", variable, tree.leaf);
  return fmt::format("({} {} {})", text_of(*tree.left, variable), tree.op,
                     text_of(*tree.right, variable));
}

Real limited(const Real& x) { return x < -8 ? Real(-8) : x > 8 ? Real(8) : x; }

/// v = clamp(f(...), -8.0, 8.0) in each lane.
template <class F>
Statement assign(std::size_t to, const std::string& text, F f) {
  return {fmt::format("{} = clamp({}, -8.0, 8.0);", name(to), text),
          [=](State& state, LegalDevice& device) {
            for (auto& v : state) v[to] = limited(f(v, device));
          }};
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(oracle::float32, seed) {}

  Statement next() {
    const std::size_t to = pick(), a = pick(), b = pick();
    switch (random_.random()() % 12) {
      case 0:
      case 1:
        return expression(to, false);
      case 2:
        return expression(to, true);
      case 3:
        return assign(to, fmt::format("{} / ({} * {} + 0.5)", name(a), name(b), name(b)),
                      [=](const auto& v, LegalDevice& d) {
                        return d.divide(v[a], d.fused(v[b], v[b], Real(0.5)));
                      });
      case 4:
        return function(to, a);
      case 5:
        return assign(to,
                      fmt::format("max(min({}, {}), abs({}) - 1.0)", name(a), name(b), name(to)),
                      [=](const auto& v, LegalDevice& d) {
                        const Real small = v[a] < v[b] ? v[a] : v[b];
                        const Real other = d.add(mp::abs(v[to]), Real(-1));
                        return small > other ? small : other;
                      });
      case 6:
        return branch(to, a, b);
      case 7:
        return loop(to, a);
      case 8:
        return reduction(to, a);
      case 9:
        return shuffle(to, a);
      case 10:
        return shared(to, a);
      default:
        return assign(to, fmt::format("floor({} * 4.0) * 0.25 + fract({})", name(a), name(b)),
                      [=](const auto& v, LegalDevice& d) {
                        const Real whole = mp::floor(d.multiply(v[a], Real(4)));
                        return d.add(d.multiply(whole, Real(0.25)),
                                     d.rounded(v[b] - mp::floor(v[b])));
                      });
    }
  }

 private:
  std::size_t pick() { return random_.random()() % variables; }

  Statement expression(std::size_t to, bool precise) {
    const TreePtr tree = random_tree(random_, 3, variables);
    if (precise) {
      // Of the inputs alone: all that a precise variable is computed from becomes precise.
      const std::string text = text_of(*tree, 'q');
      return {fmt::format("{{ precise float p = {}; {} = clamp(p, -8.0, 8.0); }}", text, name(to)),
              [=](State& state, LegalDevice& device) {
                for (auto& v : state) v[to] = limited(exactly(*tree, v, device));
              }};
    }
    return assign(to, text_of(*tree, 'v'), [=](const auto& v, LegalDevice& d) {
      const std::vector<Real> leaves(v.begin(), v.begin() + variables);
      return d.coin() ? as_written(*tree, leaves, d) : rewritten(*tree, leaves, d);
    });
  }
  /// Under `precise`: no fusing, no other order.
  static Real exactly(const Tree& tree, const std::array<Real, 2 * variables>& v, LegalDevice& d) {
    if (tree.op == 'x') return v[variables + tree.leaf];
    const Real a = exactly(*tree.left, v, d), b = exactly(*tree.right, v, d);
    return tree.op == '*' ? d.multiply(a, b) : d.add(a, tree.op == '+' ? b : Real(-b));
  }

  Statement function(std::size_t to, std::size_t a) {
    const auto size = [](const Real& x, LegalDevice& d) { return d.add(mp::abs(x), Real(0.25)); };
    const std::string magnitude = fmt::format("(abs({}) + 0.25)", name(a));
    switch (random_.random()() % 7) {
      case 0:
        return assign(to, fmt::format("sqrt({})", magnitude),
                      [=](const auto& v, LegalDevice& d) { return d.sqrt(size(v[a], d)); });
      case 1:
        return assign(to, fmt::format("inversesqrt({})", magnitude),
                      [=](const auto& v, LegalDevice& d) { return d.inverse_sqrt(size(v[a], d)); });
      case 2:
        return assign(to, fmt::format("log2({})", magnitude),
                      [=](const auto& v, LegalDevice& d) { return d.log2(size(v[a], d)); });
      case 3:
        return assign(to, fmt::format("exp(-{})", magnitude),
                      [=](const auto& v, LegalDevice& d) { return d.exp(-size(v[a], d)); });
      case 4:
        return assign(to, fmt::format("sin(clamp({}, -3.0, 3.0))", name(a)),
                      [=](const auto& v, LegalDevice& d) {
                        return d.sin(v[a] < -3 ? Real(-3) : v[a] > 3 ? Real(3) : v[a]);
                      });
      case 5:
        return assign(to, fmt::format("pow({}, 1.5)", magnitude),
                      [=](const auto& v, LegalDevice& d) {
                        return d.exp2(d.multiply(Real(1.5), d.log2(size(v[a], d))));
                      });
      default:
        return assign(to, fmt::format("atan({}, {})", name(a), magnitude),
                      [=](const auto& v, LegalDevice& d) { return d.atan2(v[a], size(v[a], d)); });
    }
  }

  Statement branch(std::size_t to, std::size_t a, std::size_t b) {
    const std::size_t c = pick();
    return {fmt::format("if ({} < {}) {} = {} * 0.5; else {{ {} = {} - 1.0; {} = 0.125; }}",
                        name(a), name(b), name(to), name(c), name(to), name(a), name(c)),
            [=](State& state, LegalDevice& d) {
              for (auto& v : state) {
                if (v[a] < v[b]) {
                  v[to] = d.multiply(v[c], Real(0.5));
                } else {
                  v[to] = d.add(v[a], Real(-1));
                  v[c] = Real(0.125);
                }
              }
            }};
  }

  Statement loop(std::size_t to, std::size_t a) {
    return {fmt::format("for (int k = 0; k < 6; ++k) {{ {0} = {0} * 0.75 + {1} * 0.25; if ({0} > "
                        "3.0) break; }}",
                        name(to), name(a)),
            [=](State& state, LegalDevice& d) {
              for (auto& v : state) {
                for (int k = 0; k < 6; ++k) {
                  const Real part = d.multiply(v[a], Real(0.25));
                  v[to] = d.fused(v[to], Real(0.75), part);
                  if (v[to] > 3) break;
                }
              }
            }};
  }

  Statement reduction(std::size_t to, std::size_t a) {
    const bool scans = random_.coin(), takes_max = random_.share() < 0.2;
    const std::string function = takes_max ? "subgroupMax"
                                 : scans   ? "subgroupInclusiveAdd"
                                           : "subgroupAdd";
    return {fmt::format("{} = clamp({}({}), -8.0, 8.0);", name(to), function, name(a)),
            [=](State& state, LegalDevice& d) {
              const State before = state;
              for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t first = lane / subgroup_size * subgroup_size;
                const std::size_t end = scans && !takes_max ? lane + 1 : first + subgroup_size;
                std::vector<Real> terms;
                for (std::size_t n = first; n < end; ++n) terms.push_back(before[n][a]);
                const Real most = *std::max_element(terms.begin(), terms.end());
                state[lane][to] = limited(takes_max ? most : join(terms, d, false));
              }
            }};
  }

  Statement shuffle(std::size_t to, std::size_t a) {
    return {fmt::format("{} = subgroupShuffleXor({}, 3u);", name(to), name(a)),
            [=](State& state, LegalDevice&) {
              const State before = state;
              for (std::size_t lane = 0; lane < lanes; ++lane)
                state[lane][to] = before[lane ^ 3][a];
            }};
  }

  Statement shared(std::size_t to, std::size_t a) {
    return {fmt::format("barrier(); s[i] = {}; barrier(); {} = s[(i + 5u) % {}u];", name(a),
                        name(to), lanes),
            [=](State& state, LegalDevice&) {
              const State before = state;
              for (std::size_t lane = 0; lane < lanes; ++lane)
                state[lane][to] = before[(lane + 5) % lanes][a];
            }};
  }

  LegalDevice random_;
};

struct RandomShader {
  std::string glsl;
  std::vector<Statement> statements;
};

RandomShader random_shader(std::uint64_t seed) {
  Generator generator(seed);
  RandomShader shader;
  std::string body;
  for (int k = 0; k < 8; ++k) {
    shader.statements.push_back(generator.next());
    body += fmt::format("  {}\n", shader.statements.back().text);
  }
  std::string loads, stores;
  for (std::size_t v = 0; v < variables; ++v) {
    loads +=
        fmt::format("  float v{0} = in_data[i * {1}u + {0}u], q{0} = in_data[i * {1}u + {0}u];\n",
                    v, variables);
    stores += fmt::format("  out_data[i * {}u + {}u] = v{};\n", variables, v, v);
  }
  shader.glsl = fmt::format(
      "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
      "#extension GL_KHR_shader_subgroup_shuffle : enable\nlayout(local_size_x = {}) in;\n"
      "layout(binding = 0) readonly buffer In {{ float in_data[]; }};\n"
      "layout(binding = 1) buffer Out {{ float out_data[]; }};\nshared float s[{}];\n"
      "void main() {{\n  uint i = gl_LocalInvocationIndex;\n{}{}{}}}\n",
      lanes, lanes, loads, body, stores);
  return shader;
}

std::vector<float> random_inputs(std::uint64_t seed) {
  LegalDevice device(oracle::float32, seed);
  std::vector<float> inputs;
  for (std::size_t k = 0; k < lanes * variables; ++k)
    inputs.push_back(
        static_cast<float>(oracle::round_down(6 * device.share() - 3, oracle::float32)));
  return inputs;
}

/// What a device leaves in the output; empty if that is not defined.
std::vector<float> device_run(const RandomShader& shader, const std::vector<float>& inputs,
                              LegalDevice& device) {
  State state;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t v = 0; v < variables; ++v)
      state[lane][v] = state[lane][variables + v] = Real(inputs[lane * variables + v]);
  }
  try {
    for (const Statement& statement : shader.statements) statement.run(state, device);
  } catch (const Undefined&) {
    return {};
  }
  std::vector<float> out;
  for (const auto& lane : state) {
    for (std::size_t v = 0; v < variables; ++v) out.push_back(static_cast<float>(lane[v]));
  }
  return out;
}

TEST_CASE("what a conforming device gives for a random shader is never wrong") {
  std::array<std::size_t, judgement::verdict_count> counts = {};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomShader shader = random_shader(seed);
    const std::vector<float> inputs = random_inputs(seed);
    const BoundedRun ran(shader.glsl, {inputs, std::vector<float>(inputs.size())}, subgroup_size);
    LegalDevice device(oracle::float32, seed);
    for (int k = 0; k < 6; ++k) {
      const std::vector<float> got = device_run(shader, inputs, device);
      if (got.empty()) continue;
      const judgement::Elements judged = ran.judge(got);
      INFO("seed " << seed << "\n"
                   << shader.glsl << "element " << judged.worst.index << " is "
                   << judged.worst.device << ", reference " << judged.worst.reference << ", ["
                   << judged.worst.low << ", " << judged.worst.high << "] " << judged.worst.reason);
      REQUIRE(judged.count(judgement::Verdict::wrong) == 0);
      for (std::size_t v = 0; v < counts.size(); ++v) counts[v] += judged.counts[v];
    }
    // The reference is legal as well.
    CHECK(ran.judge(ran.values()).count(judgement::Verdict::equal) == inputs.size());
  }
  const auto count = [&](judgement::Verdict v) { return counts[static_cast<std::size_t>(v)]; };
  INFO("equal " << count(judgement::Verdict::equal) << ", allowed "
                << count(judgement::Verdict::allowed) << ", open "
                << count(judgement::Verdict::open) << ", undefined "
                << count(judgement::Verdict::undefined));
  CHECK(count(judgement::Verdict::allowed) > count(judgement::Verdict::open));
  CHECK(count(judgement::Verdict::undefined) == 0);
}

TEST_CASE("most faults in the results of random shaders are wrong") {
  std::size_t caught = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomShader shader = random_shader(seed);
    const std::vector<float> inputs = random_inputs(seed);
    const BoundedRun ran(shader.glsl, {inputs, std::vector<float>(inputs.size())}, subgroup_size);
    // The value of a neighbouring lane, where it differs visibly.
    for (std::size_t k = variables; k < inputs.size(); k += 3) {
      const float mine = ran.values()[k], other = ran.values()[k - variables];
      if (std::abs(mine - other) < 0.1f) continue;
      ++all;
      caught += ran.verdict(k, other) == judgement::Verdict::wrong ? 1 : 0;
    }
  }
  INFO(caught << " of " << all);
  CHECK(all > 100);
  CHECK(caught * 10 > all * 8);
}

}  // namespace
