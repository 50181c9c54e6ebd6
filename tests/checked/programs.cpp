#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

/// \file
/// Random kernels: what they store and where undefined values are reported agrees with a model that follows each lane in
/// plain loops. One kernel runs a list of steps, so that all of them are compiled once.
///
/// Conditions are made of values that are always defined, except in the last step, so that what an undefined value
/// happens to be never matters.

namespace {

using namespace lockstep;
using Word = std::uint32_t;

constexpr int most_lanes = 16, dirty_count = 4, clean_count = 3, shared_words = 16, local_words = 4;

enum class Op {
  constant,
  lane,
  input,
  clean_copy,
  clean_add,
  clean_and,  // to clean values
  copy,
  add,
  subtract,
  multiply,
  conjunction,
  disjunction,
  exclusion,
  quotient,
  remainder,
  left,
  right,
  selection,
  root,
  number,
  complement,
  absolute,
  clamped,
  field,
  shuffle,
  shuffle_xor,
  shuffle_up,
  shuffle_down,
  rotated,
  broadcast,
  broadcast_first,
  all_add,
  all_max,
  inclusive,
  exclusive,
  cluster,
  quad_swap,
  quad_vote,
  vote_any,
  vote_all,
  ballot_count,
  ballot_lsb,
  ballot_bit,
  all_equal,
  write_shared,
  read_shared,
  exchange_shared,
  write_local,
  read_local,
  begin_if,
  end_if,
  store,
  branch,
  index,
  atomic,
  shared_atomic,
  uniform,  // uses
};
constexpr Op first_dirty = Op::copy, last_dirty = Op::read_local;

struct Step {
  Op op;
  int to = 0, a = 0, b = 0, c = 0;
  Word constant = 0;
};
using Program = std::vector<Step>;

template <class S>
struct RunSteps : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{most_lanes};

  Buffer<uint> out;
  Buffer<const uint> in;
  const Program* program;
  Shared<uint, shared_words> shared{this};

  Barriers main() {
    run();
    co_return;
  }

  struct Variables {
    explicit Variables(RunSteps* kernel)
        : dirty(kernel), clean(kernel, 0u, 0u, 0u), local(kernel) {}

    Array<uint, dirty_count> dirty;
    Array<uint, clean_count> clean;
    Array<uint, local_words> local;
  };
  void run() {
    Variables v(this);
    // Undefined from the start, as local arrays are, which are not written.
    const Uint nothing = 1u / (gl_SubgroupInvocationID * 0u);
    for (uint k = 0; k < dirty_count; ++k) v.dirty[k] = nothing;
    run(v, 0, program->size());
  }

  void run(Variables& v, std::size_t k, std::size_t end) {
    for (; k < end; ++k) {
      const Step& step = (*program)[k];
      if (step.op == Op::begin_if) {
        const std::size_t inner_end = end_of_block(k);
        const Uint condition = v.clean[uint(step.a)];
        If ((condition & step.constant) != 0u) {
          run(v, k + 1, inner_end);
        }
        k = inner_end;
      } else {
        run(v, step);
      }
    }
  }
  /// The end_if of a begin_if.
  std::size_t end_of_block(std::size_t k) const {
    for (int depth = 0;; ++k) {
      depth += ((*program)[k].op == Op::begin_if) - ((*program)[k].op == Op::end_if);
      if (depth == 0) return k;
    }
  }

  void run(Variables& v, const Step& step) {
    auto &dirty = v.dirty, &local = v.local;
    auto& clean = v.clean;
    const Uint lane = gl_SubgroupInvocationID;
    const Uint a = dirty[uint(step.a % dirty_count)], b = dirty[uint(step.b % dirty_count)];
    const Uint c = clean[uint(step.c % clean_count)], d = clean[uint(step.b % clean_count)];
    const auto set = [&](const Uint& value) { dirty[uint(step.to)] = value; };
    const auto set_clean = [&](const Uint& value) { clean[uint(step.to)] = value; };
    switch (step.op) {
      case Op::constant:
        return set_clean(Uint(step.constant));
      case Op::lane:
        return set_clean(lane);
      case Op::input:
        return set_clean(in[gl_GlobalInvocationID.x]);
      case Op::clean_copy:
        return set(c);
      case Op::clean_add:
        return set_clean(c + d);
      case Op::clean_and:
        return set_clean(c & step.constant);
      case Op::copy:
        return set(a);
      case Op::add:
        return set(a + b);
      case Op::subtract:
        return set(a - b);
      case Op::multiply:
        return set(a * b);
      case Op::conjunction:
        return set(a & b);
      case Op::disjunction:
        return set(a | b);
      case Op::exclusion:
        return set(a ^ b);
      case Op::quotient:
        return set(a / b);
      case Op::remainder:
        return set(Uint(Int(a) % Int(b)));
      case Op::left:
        return set(a << b);
      case Op::right:
        return set(a >> b);
      case Op::selection:
        return set(select(c < step.constant, a, b));
      case Op::root:
        return set(Uint(sqrt(Float(Int(a)))));
      case Op::number:
        return set(Uint(Float(Int(a)) * 0.5f));
      case Op::complement:
        return set(~a);
      case Op::absolute:
        return set(Uint(abs(Int(a))));
      case Op::clamped:
        return set(clamp(a, b, Uint(step.constant)));
      case Op::field:
        return set(bitfieldExtract(a, Int(b & 31u), Int(5)));
      case Op::shuffle:
        return set(subgroupShuffle(a, c));
      case Op::shuffle_xor:
        return set(subgroupShuffleXor(a, b));
      case Op::shuffle_up:
        return set(subgroupShuffleUp(a, c));
      case Op::shuffle_down:
        return set(subgroupShuffleDown(a, c));
      case Op::rotated:
        return set(subgroupRotate(a, step.constant));
      case Op::broadcast:
        return set(subgroupBroadcast(a, step.constant));
      case Op::broadcast_first:
        return set(subgroupBroadcastFirst(a));
      case Op::all_add:
        return set(subgroupAdd(a));
      case Op::all_max:
        return set(subgroupMax(a) + 1u);
      case Op::inclusive:
        return set(subgroupInclusiveXor(a));
      case Op::exclusive:
        return set(subgroupExclusiveAdd(a));
      case Op::cluster:
        return set(subgroupClusteredAdd(a, 2u));
      case Op::quad_swap:
        return set(subgroupQuadSwapVertical(a));
      case Op::quad_vote:
        return set(Uint(subgroupQuadAny((a & 1u) == 1u)));
      case Op::vote_any:
        return set(select(subgroupAny((a & 1u) == 1u), Uint(1u), Uint(0u)));
      case Op::vote_all:
        return set(select(subgroupAll((a & 1u) == 1u), Uint(1u), Uint(0u)));
      case Op::ballot_count:
        return set(subgroupBallotBitCount(subgroupBallot((a & 1u) == 1u)));
      case Op::ballot_lsb:
        return set(subgroupBallotFindLSB(subgroupBallot(c > a)));
      case Op::ballot_bit:
        return set(Uint(subgroupBallotBitExtract(subgroupBallot((c & 1u) == 1u), a)));
      case Op::all_equal:
        return set(select(subgroupAllEqual(a), Uint(1u), Uint(0u)));
      case Op::write_shared:
        shared[c % uint(shared_words)] = a;
        return;
      case Op::read_shared:
        return set(shared[c % uint(shared_words)]);
      case Op::exchange_shared:
        return set(atomicExchange(shared[c % uint(shared_words)], Uint(step.constant)));
      case Op::write_local:
        local[c % uint(local_words)] = a;
        return;
      case Op::read_local:
        return set(local[c % uint(local_words)]);
      case Op::begin_if:
      case Op::end_if:
        return;
      case Op::store:
        out[gl_GlobalInvocationID.x] = a;
        return;
      case Op::branch:
        If (a > 0u) {
        }
        return;
      case Op::index:
        out[a % 1u + 64u] = 1u;
        return;
      case Op::atomic:
        atomicAdd(out[70], a & 0xffu);
        return;
      case Op::shared_atomic:
        atomicAdd(shared[c % uint(shared_words)], Uint(1u));
        return;
      case Op::uniform:
        if (subgroupAdd(a) == 77u) out[71] = 1u;
        return;
    }
  }
};

// ---- The model ----

struct Lane {
  Word word = 0;
  bool undefined = true;
};

/// The lanes of one subgroup, each by itself.
class Model {
 public:
  explicit Model(int size) : size_(size) {}

  std::array<Lane, most_lanes> stored{};
  std::uint64_t found = 0;  ///< lanes whose undefined value became visible

  /// The subgroup whose first invocation is this one.
  void run(const Program& program, const std::vector<Word>& in, int first) {
    first_ = first;
    for (Row& row : clean_) row.fill({0, false});
    for (Row& row : dirty_) row.fill({});
    for (Row& row : local_) row.fill({});
    active_.fill(false);
    for (int i = 0; i < size_; ++i) active_[at(i)] = true;
    std::vector<std::array<bool, most_lanes>> outer;
    for (const Step& step : program) {
      if (step.op == Op::begin_if) {
        outer.push_back(active_);
        for (int i = 0; i < size_; ++i)
          active_[at(i)] = active_[at(i)] && (clean_[at(step.a)][at(i)].word & step.constant) != 0;
      } else if (step.op == Op::end_if) {
        active_ = outer.back();
        outer.pop_back();
      } else if (std::count(active_.begin(), active_.end(), true) != 0) {
        this->step(step, in);
      }
    }
  }

 private:
  using Row = std::array<Lane, most_lanes>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  template <class F>
  void set(Row& to, F f) {
    Row result{};
    for (int i = 0; i < size_; ++i)
      if (active_[at(i)]) result[at(i)] = f(i);
    for (int i = 0; i < size_; ++i)
      if (active_[at(i)]) to[at(i)] = result[at(i)];
  }
  static Lane strict(Lane x, Lane y, Word word, bool outside = false) {
    return {word, x.undefined || y.undefined || outside};
  }
  /// Of a source lane.
  Lane from(const Row& a, std::int64_t source) const {
    if (source < 0 || source >= size_ || !active_[static_cast<std::size_t>(source)]) return {};
    return a[static_cast<std::size_t>(source)];
  }
  template <class F, class G>
  Lane fold(const Row& a, Word start, F takes, G f) const {
    Lane all{start, false};
    for (int i = 0; i < size_; ++i) {
      if (!active_[at(i)] || !takes(i)) continue;
      all = {f(all.word, a[at(i)].word), all.undefined || a[at(i)].undefined};
    }
    return all;
  }
  /// Any or all, of the lowest bits.
  Lane vote(const Row& a, bool any) const {
    bool undefined = false, result = !any;
    for (int i = 0; i < size_; ++i) {
      if (!active_[at(i)]) continue;
      const bool bit = (a[at(i)].word & 1) != 0;
      if (a[at(i)].undefined)
        undefined = true;
      else if (bit == any)
        return {any ? Word{1} : Word{0}, false};
      result = any ? result || bit : result && bit;
    }
    return {result ? Word{1} : Word{0}, undefined};
  }
  static Lane to_uint(float f, bool undefined) {
    const bool fits = f > -1.0f && f < 4294967296.0f;
    return {fits ? static_cast<Word>(f) : 0, undefined || !fits};
  }
  void use(const Row& a) {
    for (int i = 0; i < size_; ++i) found += active_[at(i)] && a[at(i)].undefined;
  }

  void step(const Step& s, const std::vector<Word>& in) {
    const Row a = dirty_[at(s.a % dirty_count)], b = dirty_[at(s.b % dirty_count)];
    const Row c = clean_[at(s.c % clean_count)], d = clean_[at(s.b % clean_count)];
    Row& to = s.op <= Op::clean_and && s.op != Op::clean_copy ? clean_[at(s.to)] : dirty_[at(s.to)];
    const auto each = [&](auto f) { set(to, [&](int i) { return f(a[at(i)], b[at(i)], i); }); };
    const auto word = [&](int i) { return c[at(i)].word; };
    const auto everyone = [](int) { return true; };
    const auto add = [](Word x, Word y) { return x + y; };
    switch (s.op) {
      case Op::constant:
        return each([&](Lane, Lane, int) { return Lane{s.constant, false}; });
      case Op::lane:
        return each([&](Lane, Lane, int i) { return Lane{Word(i), false}; });
      case Op::input:
        return each([&](Lane, Lane, int i) { return Lane{in[at(first_ + i)], false}; });
      case Op::clean_copy:
        return each([&](Lane, Lane, int i) { return c[at(i)]; });
      case Op::clean_add:
        return each([&](Lane, Lane, int i) { return Lane{word(i) + d[at(i)].word, false}; });
      case Op::clean_and:
        return each([&](Lane, Lane, int i) { return Lane{word(i) & s.constant, false}; });
      case Op::copy:
        return each([](Lane x, Lane, int) { return x; });
      case Op::add:
        return each([](Lane x, Lane y, int) { return strict(x, y, x.word + y.word); });
      case Op::subtract:
        return each([](Lane x, Lane y, int) { return strict(x, y, x.word - y.word); });
      case Op::multiply:
      case Op::conjunction:
        return each([&](Lane x, Lane y, int) {
          if ((!x.undefined && x.word == 0) || (!y.undefined && y.word == 0)) return Lane{0, false};
          return strict(x, y, s.op == Op::multiply ? x.word * y.word : x.word & y.word);
        });
      case Op::disjunction:
        return each([](Lane x, Lane y, int) { return strict(x, y, x.word | y.word); });
      case Op::exclusion:
        return each([](Lane x, Lane y, int) { return strict(x, y, x.word ^ y.word); });
      case Op::quotient:
        return each([](Lane x, Lane y, int) {
          return strict(x, y, y.word == 0 ? 0 : x.word / y.word, y.word == 0);
        });
      case Op::remainder:
        return each([](Lane x, Lane y, int) {
          const auto p = static_cast<std::int32_t>(x.word), q = static_cast<std::int32_t>(y.word);
          const bool none = q == 0 || (q == -1 && p == INT32_MIN);
          std::int32_t rest = none || q == -1 ? 0 : p % q;
          if (rest != 0 && (rest < 0) != (q < 0)) rest += q;
          return strict(x, y, static_cast<Word>(rest), none);
        });
      case Op::left:
        return each(
            [](Lane x, Lane y, int) { return strict(x, y, x.word << (y.word & 31), y.word > 31); });
      case Op::right:
        return each(
            [](Lane x, Lane y, int) { return strict(x, y, x.word >> (y.word & 31), y.word > 31); });
      case Op::selection:
        return each([&](Lane x, Lane y, int i) { return word(i) < s.constant ? x : y; });
      case Op::root:
        return each([](Lane x, Lane, int) {
          const auto f = static_cast<float>(static_cast<std::int32_t>(x.word));
          return f < 0 ? Lane{} : to_uint(std::sqrt(f), x.undefined);
        });
      case Op::number:
        return each([](Lane x, Lane, int) {
          return to_uint(static_cast<float>(static_cast<std::int32_t>(x.word)) * 0.5f, x.undefined);
        });
      case Op::complement:
        return each([](Lane x, Lane, int) { return Lane{~x.word, x.undefined}; });
      case Op::absolute:
        return each([](Lane x, Lane, int) {
          return Lane{static_cast<std::int32_t>(x.word) < 0 ? 0 - x.word : x.word, x.undefined};
        });
      case Op::clamped:
        return each([&](Lane x, Lane y, int) {
          return strict(x, y, std::min(std::max(x.word, y.word), s.constant), s.constant < y.word);
        });
      case Op::field:
        return each([](Lane x, Lane y, int) {
          const Word offset = y.word & 31;
          return strict(x, y, offset > 27 ? 0 : (x.word >> offset) & 31, offset > 27);
        });
      case Op::shuffle:
        return each([&](Lane, Lane, int i) { return from(a, word(i)); });
      case Op::shuffle_xor:
        return each([&](Lane, Lane y, int i) {
          const Lane value = from(a, static_cast<Word>(i) ^ y.word);
          return Lane{value.word, value.undefined || y.undefined};
        });
      case Op::shuffle_up:
        return each([&](Lane, Lane, int i) { return from(a, std::int64_t{i} - word(i)); });
      case Op::shuffle_down:
        return each([&](Lane, Lane, int i) { return from(a, std::int64_t{i} + word(i)); });
      case Op::rotated:
        return each([&](Lane, Lane, int i) {
          return from(a, (static_cast<Word>(i) + s.constant) % static_cast<Word>(size_));
        });
      case Op::broadcast:
        return each([&](Lane, Lane, int) { return from(a, s.constant); });
      case Op::broadcast_first: {
        const auto first = std::find(active_.begin(), active_.end(), true) - active_.begin();
        return each([&](Lane, Lane, int) { return a[static_cast<std::size_t>(first)]; });
      }
      case Op::all_add:
        return each([&](Lane, Lane, int) { return fold(a, 0, everyone, add); });
      case Op::all_max:
        return each([&](Lane, Lane, int) {
          const Lane most = fold(a, 0, everyone, [](Word x, Word y) { return std::max(x, y); });
          return Lane{most.word + 1, most.undefined};
        });
      case Op::inclusive:
        return each([&](Lane, Lane, int i) {
          return fold(
              a, 0, [&](int j) { return j <= i; }, [](Word x, Word y) { return x ^ y; });
        });
      case Op::exclusive:
        return each([&](Lane, Lane, int i) {
          return fold(
              a, 0, [&](int j) { return j < i; }, add);
        });
      case Op::cluster:
        return each([&](Lane, Lane, int i) {
          return fold(
              a, 0, [&](int j) { return j / 2 == i / 2; }, add);
        });
      case Op::quad_swap:
        return each([&](Lane, Lane, int i) { return from(a, i ^ 2); });
      case Op::quad_vote:
        return each([&](Lane, Lane, int i) {
          return fold(
              a, 0, [&](int j) { return j / 4 == i / 4; },
              [](Word x, Word y) { return x | (y & 1); });
        });
      case Op::vote_any:
        return each([&](Lane, Lane, int) { return vote(a, true); });
      case Op::vote_all:
        return each([&](Lane, Lane, int) { return vote(a, false); });
      case Op::ballot_count:
        return each([&](Lane, Lane, int) {
          return fold(a, 0, everyone, [](Word x, Word y) { return x + (y & 1); });
        });
      case Op::ballot_lsb:
        return each([&](Lane, Lane, int) {
          Lane lowest{};
          bool any = false;
          for (int i = size_; i-- > 0;) {
            if (!active_[at(i)]) continue;
            any = any || a[at(i)].undefined;
            if (word(i) > a[at(i)].word) lowest = {static_cast<Word>(i), false};
          }
          return Lane{lowest.word, lowest.undefined || any};
        });
      case Op::ballot_bit:
        return each([&](Lane x, Lane, int) {
          const bool inside = x.word < static_cast<Word>(size_);
          const bool bit = inside && active_[x.word] && (c[x.word].word & 1) != 0;
          return Lane{bit ? Word{1} : Word{0}, x.undefined || !inside};
        });
      case Op::all_equal:
        return each([&](Lane, Lane, int) {
          Lane all{1, false};
          const auto first = static_cast<std::size_t>(
              std::find(active_.begin(), active_.end(), true) - active_.begin());
          for (int i = 0; i < size_; ++i) {
            if (!active_[at(i)]) continue;
            all.undefined = all.undefined || a[at(i)].undefined;
            if (a[at(i)].word != a[first].word) all.word = 0;
          }
          return all;
        });
      case Op::write_shared:
        for (int i = 0; i < size_; ++i)
          if (active_[at(i)]) shared_[word(i) % shared_words] = a[at(i)];
        return;
      case Op::read_shared:
        return each([&](Lane, Lane, int i) { return shared_[word(i) % shared_words]; });
      case Op::exchange_shared:
        return each([&](Lane, Lane, int i) {
          return std::exchange(shared_[word(i) % shared_words], Lane{s.constant, false});
        });
      case Op::write_local:
        for (int i = 0; i < size_; ++i)
          if (active_[at(i)]) local_[word(i) % local_words][at(i)] = a[at(i)];
        return;
      case Op::read_local:
        return each([&](Lane, Lane, int i) { return local_[word(i) % local_words][at(i)]; });
      case Op::begin_if:
      case Op::end_if:
        return;
      case Op::store:
        for (int i = 0; i < size_; ++i)
          if (active_[at(i)]) stored[at(first_ + i)] = a[at(i)];
        return use(a);
      case Op::branch:
      case Op::index:
        return use(a);
      case Op::atomic:
        return use(a);
      case Op::shared_atomic:
        for (int i = 0; i < size_; ++i) {
          if (!active_[at(i)]) continue;
          Lane& number = shared_[word(i) % shared_words];
          found += number.undefined;
          number = {number.word + 1, false};
        }
        return;
      case Op::uniform:
        if (fold(a, 0, everyone, add).undefined)
          found += static_cast<std::uint64_t>(std::count(active_.begin(), active_.end(), true));
        return;
    }
  }

  int size_, first_ = 0;
  std::array<bool, most_lanes> active_;
  std::array<Row, dirty_count> dirty_{};
  std::array<Row, clean_count> clean_{};
  std::array<Lane, shared_words> shared_{};
  std::array<Row, local_words> local_{};
};

Program random_program(std::mt19937& random, int size) {
  const auto number = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  const auto any_of = [&](Op first, Op last) {
    return static_cast<Op>(static_cast<int>(first) +
                           number(static_cast<int>(last) - static_cast<int>(first) + 1));
  };
  const auto step = [&](Op op) {
    const int values = op <= Op::clean_and && op != Op::clean_copy ? clean_count : dirty_count;
    return Step{op,
                number(values),
                number(dirty_count),
                number(dirty_count),
                number(clean_count),
                static_cast<Word>(number(2 * size))};
  };
  Program program{step(Op::lane), step(Op::input)};
  for (int k = 0; k < dirty_count; ++k) {
    program.push_back(step(Op::clean_copy));
    program.back().to = k;
  }
  int depth = 0;
  for (int left = 5 + number(25); left > 0; --left) {
    const int kind = number(12);
    if (kind == 0 && depth < 2) {
      program.push_back(step(Op::begin_if));
      program.back().a = number(clean_count);
      program.back().constant = static_cast<Word>(1 + number(15));
      ++depth;
    } else if (kind == 1 && depth > 0) {
      program.push_back({Op::end_if});
      --depth;
    } else if (kind < 4) {
      program.push_back(step(any_of(Op::constant, Op::clean_and)));
    } else {
      program.push_back(step(any_of(first_dirty, last_dirty)));
    }
  }
  program.push_back(step(any_of(Op::store, Op::uniform)));
  for (; depth > 0; --depth) program.push_back({Op::end_if});
  return program;
}

std::string to_string(const Program& program) {
  std::string text;
  for (const Step& s : program)
    text += fmt::format("\n{}: {} {} {} {} {}", static_cast<int>(s.op), s.to, s.a, s.b, s.c,
                        s.constant);
  return text;
}

TEST_CASE("undefined values of random kernels are those of a model by lane") {
  std::mt19937 random(7);
  int with_findings = 0, stored = 0;
  std::map<Op, int> ran;
  constexpr int programs = 12000;
  for (int n = 0; n < programs; ++n) {
    const int size = std::array{1, 2, 4, 8, 16}[static_cast<std::size_t>(n % 5)];
    const Program program = random_program(random, size);
    std::vector<Word> in(most_lanes), out(128, 0);
    for (Word& w : in) w = static_cast<Word>(random() % 40);
    Device device{.subgroup_size = size, .deterministic = true, .faults = Faults::counted};
    device.checks = undefined_checks() & kernel_checks();
    const FaultLog log = device.dispatch_checked<RunSteps, 16>(1, out, in, &program);
    if (n % 8 == 0) {
      std::vector<Word> again(128, 0);
      const FaultLog same =
          device.dispatch_checked<RunSteps, 16>(Convergence(), 1, again, in, &program);
      CAPTURE(n, size, to_string(log), to_string(program));
      REQUIRE(to_string(same) == to_string(log));
      REQUIRE(again == out);
    }
    // Subgroups run one after another.
    Model model(size);
    for (int first = 0; first < most_lanes; first += size) model.run(program, in, first);
    for (std::size_t i = 0; i < most_lanes; ++i) {
      if (model.stored[i].undefined) continue;
      REQUIRE(out[i] == model.stored[i].word);
      ++stored;
    }
    for (const Step& s : program) ++ran[s.op];
    with_findings += model.found != 0;
    CAPTURE(n, size, to_string(log), to_string(program));
    REQUIRE(log.count() == model.found);
  }
  CHECK(with_findings > programs / 20);
  CHECK(stored > programs / 20);
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
