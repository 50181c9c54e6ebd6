#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Random programs: where undefined values are reported agrees with a model that follows each lane in plain loops.
///
/// Conditions and indices are made of values that are always defined, except in the last statement, so that what an
/// undefined value happens to be never matters.

using namespace lockstep;

namespace {

using Word = std::uint32_t;
constexpr int most_lanes = 64;

struct Value {
  std::array<Word, most_lanes> word{};
  std::array<bool, most_lanes> undefined{};
};
using Active = std::array<bool, most_lanes>;

constexpr int dirty_count = 4, clean_count = 3, array_words = 4;

/// What the lanes of one subgroup hold.
struct Model {
  explicit Model(int lanes) : size(lanes) {
    for (Value& v : dirty) v.undefined.fill(true);
    for (Value& v : array) v.undefined.fill(true);
    shared.undefined.fill(true);
    for (int lane = 0; lane < size; ++lane) active[at(lane)] = true;
  }
  static std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

  int size;
  Active active{};
  Active broken{};  ///< lanes that left the loop
  std::array<Value, dirty_count> dirty;
  std::array<Value, clean_count> clean{};
  std::array<Value, array_words> array;  ///< each lane's
  Value shared;                          ///< by word
  std::map<int, Active> found;           ///< by line
};

struct Expression {
  std::string text;
  std::function<Value(const Model&)> value;
};
struct Statement {
  std::string text;  ///< of one line
  std::function<void(Model&)> run;
};
using Block = std::vector<Statement>;

template <class F>
Value each_lane(const Model& m, F f) {
  Value result;
  for (int lane = 0; lane < m.size; ++lane) {
    const auto [word, undefined] = f(Model::at(lane));
    result.word[Model::at(lane)] = word;
    result.undefined[Model::at(lane)] = undefined;
  }
  return result;
}
struct Lane {
  Word word;
  bool undefined;
};

class Generator {
 public:
  Generator(unsigned seed, int size) : random_(seed), size_(size) {}

  /// The text of main's body, whose first line is number `line`, and what the model finds in it.
  std::string make(int line, Model& model) {
    line_ = line;
    Block block = statements(4 + number(8), 0);
    block.push_back(last());
    std::string text;
    for (Statement& s : block) {
      text += s.text;
      s.run(model);
    }
    return text;
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  // ---- Expressions ----

  Expression constant(Word value) {
    return {fmt::format("{}u", value), [=](const Model& m) {
              return each_lane(m, [&](std::size_t) { return Lane{value, false}; });
            }};
  }
  Expression variable(bool is_clean, int k) {
    const auto at = static_cast<std::size_t>(k);
    return {fmt::format("{}{}", is_clean ? 'c' : 'd', k),
            [=](const Model& m) { return is_clean ? m.clean[at] : m.dirty[at]; }};
  }
  Expression lane() {
    return {"lane", [](const Model& m) {
              return each_lane(m, [](std::size_t i) { return Lane{static_cast<Word>(i), false}; });
            }};
  }

  /// Always defined.
  Expression clean(int depth) {
    switch (number(depth > 0 ? 7 : 3)) {
      case 0:
        return constant(static_cast<Word>(number(40)));
      case 1:
        return lane();
      case 2:
        return variable(true, number(clean_count));
      case 3:
        return binary("+", clean(depth - 1), clean(depth - 1), [](Lane a, Lane b) {
          return Lane{a.word + b.word, false};
        });
      case 4:
        return binary("&", clean(depth - 1), clean(depth - 1), [](Lane a, Lane b) {
          return Lane{a.word & b.word, false};
        });
      case 5:
        return binary("*", clean(depth - 1), clean(depth - 1), [](Lane a, Lane b) {
          return Lane{a.word * b.word, false};
        });
      default:
        return binary("^", clean(depth - 1), clean(depth - 1), [](Lane a, Lane b) {
          return Lane{a.word ^ b.word, false};
        });
    }
  }

  template <class F>
  static Expression binary(const char* op, const Expression& a, const Expression& b, F f) {
    return {fmt::format("({} {} {})", a.text, op, b.text), [=](const Model& m) {
              const Value x = a.value(m), y = b.value(m);
              return each_lane(m, [&](std::size_t i) {
                return f(Lane{x.word[i], x.undefined[i]}, Lane{y.word[i], y.undefined[i]});
              });
            }};
  }
  /// f gives the word of two defined operands, and may say that it is undefined.
  template <class F>
  static Expression strict(const char* op, const Expression& a, const Expression& b, F f) {
    return binary(op, a, b, [f](Lane x, Lane y) {
      Lane result = f(x.word, y.word);
      result.undefined = result.undefined || x.undefined || y.undefined;
      return result;
    });
  }

  Expression any(int depth) {
    if (depth == 0) return number(3) == 0 ? clean(1) : variable(false, number(dirty_count));
    const Expression a = any(depth - 1);
    switch (number(20)) {
      case 0:
        return strict("+", a, any(depth - 1), [](Word x, Word y) { return Lane{x + y, false}; });
      case 1:
        return strict("|", a, any(depth - 1), [](Word x, Word y) { return Lane{x | y, false}; });
      case 2:
        return absorbing("*", a, any(depth - 1), [](Word x, Word y) { return x * y; });
      case 3:
        return absorbing("&", a, any(depth - 1), [](Word x, Word y) { return x & y; });
      case 4:
        return strict("<<", a, unfolded(any(depth - 1)), [](Word x, Word y) {
          return Lane{y < 32 ? x << y : 0, y >= 32};
        });
      case 5:
        return strict("/", a, unfolded(any(depth - 1)), [](Word x, Word y) {
          return Lane{y != 0 ? x / y : 0, y == 0};
        });
      case 6:
        return selection(any(depth - 1), any(depth - 1), a, any(depth - 1));
      case 7:
        return square_root(a);
      default:
        return between_lanes(a, depth);
    }
  }
  /// glslang computes constants itself, and gives them a value whether or not they have one.
  static Expression unfolded(const Expression& e) {
    return {fmt::format("({} | zero)", e.text), e.value};
  }
  template <class F>
  static Expression absorbing(const char* op, const Expression& a, const Expression& b, F f) {
    return binary(op, a, b, [f](Lane x, Lane y) {
      const bool zero = (!x.undefined && x.word == 0) || (!y.undefined && y.word == 0);
      return Lane{zero ? 0 : f(x.word, y.word), !zero && (x.undefined || y.undefined)};
    });
  }
  static Expression selection(const Expression& a, const Expression& b, const Expression& x,
                              const Expression& y) {
    return {
        fmt::format("mix({}, {}, {} < {})", y.text, x.text, a.text, b.text), [=](const Model& m) {
          const Value l = a.value(m), r = b.value(m), yes = x.value(m), no = y.value(m);
          return each_lane(m, [&](std::size_t i) {
            const Value& chosen = l.word[i] < r.word[i] ? yes : no;
            return Lane{chosen.word[i], l.undefined[i] || r.undefined[i] || chosen.undefined[i]};
          });
        }};
  }
  static Expression square_root(const Expression& a) {
    return {fmt::format("uint(sqrt(float(int({}))))", a.text), [=](const Model& m) {
              const Value x = a.value(m);
              return each_lane(m, [&](std::size_t i) {
                const auto n = static_cast<std::int32_t>(x.word[i]);
                if (n < 0) return Lane{0, true};
                return Lane{static_cast<Word>(std::sqrt(static_cast<float>(n))), x.undefined[i]};
              });
            }};
  }

  /// f(model, value, lane).
  template <class F>
  static Expression call(const std::string& text, const Expression& a, F f) {
    return {text, [=](const Model& m) {
              const Value x = a.value(m);
              return each_lane(m, [&](std::size_t i) {
                return m.active[i] ? f(m, x, i) : Lane{0, true};
              });
            }};
  }
  static Lane from(const Model& m, const Value& x, std::uint64_t source) {
    if (source >= static_cast<std::uint64_t>(m.size) || !m.active[source]) return {0, true};
    return {x.word[source], x.undefined[source]};
  }
  /// The sum of the active lanes for which `counts` holds.
  template <class F>
  static Lane sum(const Model& m, const Value& x, F counts) {
    Lane all{0, false};
    for (std::size_t j = 0; j < Model::at(m.size); ++j) {
      if (!m.active[j] || !counts(j)) continue;
      all.word += x.word[j];
      all.undefined = all.undefined || x.undefined[j];
    }
    return all;
  }

  Expression between_lanes(const Expression& a, int depth) {
    const auto by = static_cast<Word>(number(size_));
    switch (number(12)) {
      case 0:
        return call(fmt::format("subgroupShuffleUp({}, {}u)", a.text, by), a,
                    [by](const Model& m, const Value& x, std::size_t i) {
                      return i < by ? Lane{0, true} : from(m, x, i - by);
                    });
      case 1:
        return call(
            fmt::format("subgroupShuffleDown({}, {}u)", a.text, by), a,
            [by](const Model& m, const Value& x, std::size_t i) { return from(m, x, i + by); });
      case 2:
        return call(
            fmt::format("subgroupShuffleXor({}, {}u)", a.text, by), a,
            [by](const Model& m, const Value& x, std::size_t i) { return from(m, x, i ^ by); });
      case 3: {
        const Expression id = any(depth - 1);
        return call(fmt::format("subgroupShuffle({}, {} % {}u)", a.text, id.text, size_), a,
                    [id](const Model& m, const Value& x, std::size_t i) {
                      const Value ids = id.value(m);
                      const Word source = ids.word[i] % static_cast<Word>(m.size);
                      Lane result = from(m, x, source);
                      result.undefined = result.undefined || ids.undefined[i];
                      return result;
                    });
      }
      case 4:
        return call(fmt::format("subgroupBroadcast({}, {}u)", a.text, by), a,
                    [by](const Model& m, const Value& x, std::size_t) { return from(m, x, by); });
      case 5:
        return call(fmt::format("subgroupBroadcastFirst({})", a.text), a,
                    [](const Model& m, const Value& x, std::size_t) {
                      std::size_t first = 0;
                      while (!m.active[first]) ++first;
                      return from(m, x, first);
                    });
      case 6:
        return call(fmt::format("subgroupAdd({})", a.text), a,
                    [](const Model& m, const Value& x, std::size_t) {
                      return sum(m, x, [](std::size_t) { return true; });
                    });
      case 7:
        return call(fmt::format("subgroupInclusiveAdd({})", a.text), a,
                    [](const Model& m, const Value& x, std::size_t i) {
                      return sum(m, x, [i](std::size_t j) { return j <= i; });
                    });
      case 8:
        return call(fmt::format("subgroupExclusiveAdd({})", a.text), a,
                    [](const Model& m, const Value& x, std::size_t i) {
                      return sum(m, x, [i](std::size_t j) { return j < i; });
                    });
      case 9:
        return call(fmt::format("subgroupClusteredAdd({}, 4u)", a.text), a,
                    [](const Model& m, const Value& x, std::size_t i) {
                      return sum(m, x, [i](std::size_t j) { return j / 4 == i / 4; });
                    });
      case 10:
        return call(fmt::format("uint(subgroupAny({} < 9u))", a.text), a,
                    [](const Model& m, const Value& x, std::size_t) {
                      Lane vote{0, false};
                      for (std::size_t j = 0; j < Model::at(m.size); ++j) {
                        if (!m.active[j]) continue;
                        if (!x.undefined[j] && x.word[j] < 9) return Lane{1, false};
                        vote.undefined = vote.undefined || x.undefined[j];
                      }
                      return vote;
                    });
      default:
        return call(fmt::format("subgroupBallotFindLSB(subgroupBallot({} < 9u))", a.text), a,
                    [](const Model& m, const Value& x, std::size_t) {
                      Lane lowest{0, true};
                      for (std::size_t j = Model::at(m.size); j-- > 0;) {
                        if (!m.active[j]) continue;
                        if (x.undefined[j]) return Lane{0, true};
                        if (x.word[j] < 9) lowest = {static_cast<Word>(j), false};
                      }
                      return lowest;
                    });
    }
  }

  // ---- Statements ----

  Block statements(int count, int depth) {
    Block block;
    for (int k = 0; k < count; ++k) block.push_back(statement(depth));
    return block;
  }
  std::string end_line(std::string text) {
    ++line_;
    return text + "\n";
  }

  template <class F>
  static void for_active(Model& m, F f) {
    for (std::size_t i = 0; i < Model::at(m.size); ++i) {
      if (m.active[i]) f(i);
    }
  }
  static void assign(Model& m, Value& to, const Value& value) {
    for_active(m, [&](std::size_t i) {
      to.word[i] = value.word[i];
      to.undefined[i] = value.undefined[i];
    });
  }
  static void find(Model& m, int line, const Value& value) {
    for_active(m, [&](std::size_t i) {
      if (value.undefined[i]) m.found[line][i] = true;
    });
  }

  Statement statement(int depth) {
    switch (number(depth < 3 ? 14 : 10)) {
      case 0:
      case 1:
        return store();
      case 2:
        return set_clean();
      case 3:
        return store_shared();
      case 4:
        return load_shared();
      case 5:
        return store_array();
      case 6:
        return load_array();
      case 10:
      case 11:
        return selection_statement(depth);
      case 12:
      case 13:
        return loop(depth);
      default:
        return set_dirty();
    }
  }
  Statement set_dirty() {
    const int to = number(dirty_count);
    const Expression e = any(2);
    return {end_line(fmt::format("d{} = {};", to, e.text)),
            [=](Model& m) { assign(m, m.dirty[static_cast<std::size_t>(to)], e.value(m)); }};
  }
  Statement set_clean() {
    const int to = number(clean_count);
    const Expression e = clean(2);
    return {end_line(fmt::format("c{} = {};", to, e.text)),
            [=](Model& m) { assign(m, m.clean[static_cast<std::size_t>(to)], e.value(m)); }};
  }
  Statement store() {
    const Expression e = any(1);
    const int line = line_;
    return {end_line(fmt::format("o[lane] = {};", e.text)),
            [=](Model& m) { find(m, line, e.value(m)); }};
  }
  /// Each lane has a word of its own, perhaps another's.
  Expression own_word() {
    const auto by = static_cast<Word>(number(size_));
    return {fmt::format("(lane ^ {}u)", by), [by](const Model& m) {
              return each_lane(m, [&](std::size_t i) {
                return Lane{static_cast<Word>(i) ^ by, false};
              });
            }};
  }
  Statement store_shared() {
    const Expression e = any(1), to = own_word();
    return {end_line(fmt::format("s[{}] = {};", to.text, e.text)), [=](Model& m) {
              const Value value = e.value(m), word = to.value(m);
              for_active(m, [&](std::size_t i) {
                m.shared.word[word.word[i]] = value.word[i];
                m.shared.undefined[word.word[i]] = value.undefined[i];
              });
            }};
  }
  Statement load_shared() {
    const Expression from_word = own_word();
    const int to = number(dirty_count);
    return {end_line(fmt::format("d{} = s[{}];", to, from_word.text)), [=](Model& m) {
              const Value word = from_word.value(m);
              Value value;
              for_active(m, [&](std::size_t i) {
                value.word[i] = m.shared.word[word.word[i]];
                value.undefined[i] = m.shared.undefined[word.word[i]];
              });
              assign(m, m.dirty[static_cast<std::size_t>(to)], value);
            }};
  }
  Statement store_array() {
    const Expression e = any(1), to = clean(1);
    return {end_line(fmt::format("t[{} & 3u] = {};", to.text, e.text)), [=](Model& m) {
              const Value value = e.value(m), word = to.value(m);
              for_active(m, [&](std::size_t i) {
                m.array[word.word[i] & 3].word[i] = value.word[i];
                m.array[word.word[i] & 3].undefined[i] = value.undefined[i];
              });
            }};
  }
  Statement load_array() {
    const Expression from_word = clean(1);
    const int to = number(dirty_count);
    return {end_line(fmt::format("d{} = t[{} & 3u];", to, from_word.text)), [=](Model& m) {
              const Value word = from_word.value(m);
              Value value;
              for_active(m, [&](std::size_t i) {
                value.word[i] = m.array[word.word[i] & 3].word[i];
                value.undefined[i] = m.array[word.word[i] & 3].undefined[i];
              });
              assign(m, m.dirty[static_cast<std::size_t>(to)], value);
            }};
  }

  static std::string join(const Block& block) {
    std::string text;
    for (const Statement& s : block) text += s.text;
    return text;
  }
  static void run(Model& m, const Block& block) {
    for (const Statement& s : block) {
      if (std::ranges::find(m.active, true) != m.active.end()) s.run(m);
    }
  }

  Statement selection_statement(int depth) {
    const Expression a = clean(2), b = clean(1);
    std::string text = end_line(fmt::format("if ({} < {}) {{", a.text, b.text));
    const Block yes = statements(1 + number(3), depth + 1);
    text += join(yes) + end_line("} else {");
    const Block no = statements(number(3), depth + 1);
    text += join(no) + end_line("}");
    return {text, [=](Model& m) {
              const Value x = a.value(m), y = b.value(m);
              const Active before = m.active;
              const auto side = [&](const Block& block, bool holds) {
                for (std::size_t i = 0; i < Model::at(m.size); ++i)
                  m.active[i] = before[i] && !m.broken[i] && (x.word[i] < y.word[i]) == holds;
                run(m, block);
              };
              side(yes, true);
              side(no, false);
              for (std::size_t i = 0; i < Model::at(m.size); ++i)
                m.active[i] = before[i] && !m.broken[i];
            }};
  }
  Statement loop(int depth) {
    const int trips = 1 + number(3);
    std::string text =
        end_line(fmt::format("for (uint k{0} = 0u; k{0} < {1}u; ++k{0}) {{", depth, trips));
    const Block first = statements(1 + number(2), depth + 1);
    const Expression a = clean(1), b = clean(1);
    text += join(first) + end_line(fmt::format("if ({} < {}) break;", a.text, b.text));
    const Block rest = statements(number(3), depth + 1);
    text += join(rest) + end_line("}");
    return {text, [=](Model& m) {
              const Active before = m.active, outer = std::exchange(m.broken, Active{});
              for (int trip = 0; trip < trips; ++trip) {
                run(m, first);
                const Value x = a.value(m), y = b.value(m);
                for_active(m, [&](std::size_t i) { m.broken[i] = x.word[i] < y.word[i]; });
                for (std::size_t i = 0; i < Model::at(m.size); ++i)
                  m.active[i] = m.active[i] && !m.broken[i];
                run(m, rest);
              }
              m.broken = outer;
              m.active = before;
            }};
  }

  /// Something that may depend on an undefined value.
  Statement last() {
    const Expression e = any(2);
    const int line = line_;
    const char* const texts[] = {"if ({} > 3u) o[0] = 1u;", "o[{} & 63u] = 1u;",
                                 "atomicAdd(o[3], {});", "o[lane] = subgroupRotate(lane, {});"};
    return {end_line(fmt::format(fmt::runtime(texts[number(3)]), e.text)),
            [=](Model& m) { find(m, line, e.value(m)); }};
  }

  std::mt19937 random_;
  int size_;
  int line_ = 0;
};

std::string shader_text(int size, const std::string& body) {
  return fmt::format(R"(#version 460
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
layout(local_size_x = {}) in;
layout(set = 0, binding = 0) buffer Out {{ uint o[]; }};
shared uint s[64];
void main() {{
uint lane = gl_SubgroupInvocationID; uint d0, d1, d2, d3, t[4]; uint c0 = 0u, c1 = 0u, c2 = 0u, zero = 0u;
{}}}
)",
                     size, body);
}
constexpr int body_line = 13;

std::string lanes_of(const Active& active) {
  std::string text;
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i]) text += fmt::format("{} ", i);
  }
  return text;
}

void compare(unsigned seed, const Convergence* convergence) {
  constexpr int sizes[] = {4, 8, 32, 64};
  const int size = sizes[seed % 4];
  Model model(size);
  const std::string text = shader_text(size, Generator(seed, size).make(body_line, model));
  auto shader = Shader::from_glsl(text);
  std::vector<Word> out(64);
  DispatchSettings settings{.subgroup_size = size, .threads = 1};
  settings.checks = undefined_checks();
  settings.convergence = convergence;
  const ShaderRun run = shader.bind(0, out).dispatch({1}, settings);
  std::map<int, std::string> expected, found;
  for (const auto& [line, lanes] : model.found) expected[line] = lanes_of(lanes);
  std::map<int, Active> lanes;
  for (const Finding& f : run.findings.findings()) {
    for (std::size_t i = 0; i < most_lanes; ++i) {
      if (f.lanes.test(static_cast<int>(i))) lanes[f.where.line][i] = true;
    }
  }
  for (const auto& [line, some] : lanes) found[line] = lanes_of(some);
  INFO("seed " << seed << "\n" << text << "\n" << run.findings);
  // Only so many findings are kept.
  if (run.findings.findings().size() < FaultLog::most_kept) REQUIRE(found == expected);
}

#if defined(LOCKSTEP_TEST_FULL)
constexpr unsigned programs = 10000;
#elif defined(LOCKSTEP_TEST_REDUCED)
constexpr unsigned programs = 300;
#else
constexpr unsigned programs = 1000;
#endif

}  // namespace

TEST_CASE("undefined values of random programs are found where a model of each lane finds them") {
  for (unsigned seed = 0; seed < programs; ++seed) compare(seed, nullptr);
}

TEST_CASE("without machine code and on the tangled machine they are the same") {
  const Convergence maximal;
  for (unsigned seed = programs; seed < programs + programs / 4; ++seed) {
    const test::WithNative native("off");
    compare(seed, nullptr);
    compare(seed, &maximal);
  }
}
