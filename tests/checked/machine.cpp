#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/mat.hpp>

#include "allocate/allocate.hpp"
#include "butterfly/butterfly.hpp"
#include "collatz/collatz.hpp"
#include "prefix_sum/prefix_sum.hpp"
#include "strided_scan/strided_scan.hpp"
#include "support/settings.hpp"

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using std::uint32_t;
using Words = std::vector<uint32_t>;

enum Machines { one_mask, tangles };

/// Checks for undefined values only, on either machine.
template <template <class> class K, int W, class... A>
FaultLog run_checked(Machines machine, int size, uint32_t workgroups, A&... arguments) {
  const Device device{.subgroup_size = size,
                      .deterministic = true,
                      .faults = Faults::counted,
                      .checks = undefined_checks() & kernel_checks()};
  if (machine == tangles)
    return device.dispatch_checked<K, W>(Convergence(), workgroups, arguments...);
  return device.dispatch_checked<K, W>(workgroups, arguments...);
}

/// The names of a kernel on a machine.
template <class S>
struct NamesOn : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{1};
  using U = Uint;
  using F = Float;
  using B = Bool;
  using V = vec3;
  using BV = bvec2;
  using M = mat2x3;
  using Variable = decltype(std::declval<Kernel<S>>().var(0u));
  using VectorVariable = decltype(std::declval<Kernel<S>>().var(uvec2(0u)));
  using Memory = Buffer<uint>;
  void main() {}
};

TEST_CASE("fast and tangled machines' values are plain lanes") {
  const auto check = []<class S>(std::type_identity<S>) {
    using N = NamesOn<S>;
    STATIC_REQUIRE(std::same_as<typename N::U, Lanes<uint32_t, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::F, Lanes<float, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::B, Lanes<bool, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::V, Vec<float, 3, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::BV, Vec<bool, 2, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::M, Mat<float, 2, 3, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::Variable, Var<uint32_t, 8>>);
    STATIC_REQUIRE(std::same_as<typename N::VectorVariable, CompoundVar<Vec<uint32_t, 2, 8>>>);
  };
  check(std::type_identity<FastMachine<8>>());
  check(std::type_identity<PixelMachine<8>>());
  check(std::type_identity<TangledMachine<8>>());
  check(std::type_identity<TangledPixelMachine<8>>());
}

TEST_CASE("a machine's numbers are in all of a kernel's values") {
  using N = NamesOn<CheckedMachine<8>>;
  using checked::Checked;
  STATIC_REQUIRE(std::same_as<N::U, Lanes<Checked<uint32_t>, 8>>);
  STATIC_REQUIRE(std::same_as<N::F, Lanes<Checked<float>, 8>>);
  STATIC_REQUIRE(std::same_as<N::B, Lanes<Checked<bool>, 8>>);
  STATIC_REQUIRE(std::same_as<N::V, Vec<Checked<float>, 3, 8>>);
  STATIC_REQUIRE(std::same_as<N::BV, Vec<Checked<bool>, 2, 8>>);
  STATIC_REQUIRE(std::same_as<N::M, Mat<Checked<float>, 2, 3, 8>>);
  STATIC_REQUIRE(std::same_as<N::Variable, Var<Checked<uint32_t>, 8>>);
  STATIC_REQUIRE(std::same_as<N::VectorVariable, CompoundVar<Vec<Checked<uint32_t>, 2, 8>>>);
  STATIC_REQUIRE(std::same_as<N::Memory, checked::Array<checked::State<8>, uint32_t, 8>>);
}

// The kernels of kernels/, unchanged. Each result is that of a plain loop.

TEST_CASE("StridedScan discards the lanes that shuffles leave undefined") {
  const Machines machine = GENERATE(one_mask, tangles);
  const int size = GENERATE(1, 4, 8, 24, 32);
  std::vector<std430::vec4> x(100), got(100);
  for (uint32_t i = 0; i < x.size(); ++i) x[i] = {float(i % 3 + 1), 1, float(i % 2 + 1), 0.5f};
  CHECK(run_checked<kernels::StridedScan, 32>(machine, size, 1, x, got).count() == 0);

  const auto lanes = static_cast<std::size_t>(size);
  std::vector<std430::vec4> want = x;
  for (std::size_t first = 0; first < x.size(); first += lanes) {
    const std::size_t end = std::min(first + lanes, x.size());
    for (std::size_t distance = 2; distance < lanes; distance *= 2) {
      for (std::size_t i = end; i-- > first + distance;) {
        for (int k = 0; k < 4; ++k) want[i][k] *= want[i - distance][k];
      }
    }
  }
  CHECK(got == want);
}

TEST_CASE("other kernels run as on the fast machine") {
  const Machines machine = GENERATE(one_mask, tangles);
  const int size = GENERATE(1, 8, 32);
  Words in(300);
  test::Random random = test::make_random();
  for (uint32_t& word : in) word = static_cast<uint32_t>(random() % 1000 + 1);

  SECTION("Collatz: loops and selections") {
    Words got(in.size()), want;
    CHECK(run_checked<kernels::Collatz, 32>(machine, size, 5, in, got).count() == 0);
    for (uint32_t n : in) {
      uint32_t steps = 0;
      for (; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      want.push_back(steps);
    }
    CHECK(got == want);
  }
  SECTION("Allocate: ballots, an election and an atomic") {
    Words slot(1), got(in.size()), want;
    CHECK(run_checked<kernels::Allocate, 32>(machine, size, 3, in, slot, got).count() == 0);
    std::copy_if(in.begin(), in.end(), std::back_inserter(want),
                 [](uint32_t n) { return n % 2 == 0; });
    CHECK(slot == Words{static_cast<uint32_t>(want.size())});
    got.resize(want.size());
    CHECK(got == want);  // one subgroup after the other
  }
  SECTION("Butterfly: shuffles among all lanes") {
    Words got(1);
    // Lanes beyond a partial subgroup do not exist: a multiple of the workgroup's size.
    in.resize(256);
    CHECK(run_checked<kernels::Butterfly, 32>(machine, size, 2, in, got).count() == 0);
    CHECK(got[0] == std::accumulate(in.begin(), in.end(), 0u));
  }
  SECTION("ScanWorkgroups: barriers, shared memory and uniform results") {
    Words got(in.size()), totals(1), want(in.size());
    CHECK(run_checked<kernels::ScanWorkgroups, 32>(machine, size, 1, in, got, totals).count() == 0);
    std::partial_sum(in.begin(), in.end(), want.begin());
    CHECK(got == want);
    CHECK(totals == Words{want.back()});
  }
}

// A kernel that uses undefined lanes in every way, against a loop over lanes.

/// What the kernel stores for each invocation.
enum Stored { selected, assigned, looped, scanned, summed, sent, stores };

template <class S>
struct Spread : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};

  Buffer<const uint> in;
  Buffer<uint> out;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    const Uint own = in[gl_GlobalInvocationID.x];
    const Uint below = subgroupShuffleUp(own, 2u);  // where all of it begins
    store(selected, select(below > 500u, own + 1u, own * 2u));
    auto x = var(own);
    If (i % 3u == 0u) {
      x += below;
    }
    Else If (i % 3u == 1u) { x = below ^ own; }
    store(assigned, x);
    auto count = var(0u);
    While (x > 40u) {
      x = x / 3u;
      If (i == 1u) {
        x = 7u;
      }
      count += 1u;
    }
    store(looped, count + x);
    If (i > 0u) {
      store(scanned, subgroupInclusiveAdd(x));
      store(summed, subgroupAdd(x) + subgroupMax(below));
    }
    store(sent, subgroupBroadcast(below, 1u) + subgroupBroadcast(x, 5u));
    If (below > 500u) {
      store(sent, x);
    }
    If (i == 0u) {
      store(sent, 9u, below % 1u);
    }
    if (subgroupAdd(below) > 0) store(sent, 3u);
  }
  static constexpr int end_of_main = __LINE__ - 1, shuffle_line = end_of_main - 29;

  void store(Stored where, const Uint& value, const Uint& further = 0u) {
    out[gl_GlobalInvocationID.x * uint(stores) + uint(where) + further] = value;
  }
  static constexpr int store_line = __LINE__ - 2;
};

/// One lane's number.
struct Number {
  uint32_t value = 0;
  bool undefined = false;
};

/// The same for the lanes of a subgroup, one after the other.
class SpreadByLanes {
 public:
  static constexpr std::size_t size = 8;
  using Numbers = std::array<Number, size>;

  Words memory;
  std::map<int, LaneSet> uses;  ///< by line

  void run(const Words& in) {
    memory.resize(in.size() * stores);
    for (first_ = 0; first_ < in.size(); first_ += size) run_subgroup(in);
  }

 private:
  using K = Spread<FastMachine<8>>;
  template <class F>
  static Numbers each(F f) {
    Numbers numbers;
    for (std::size_t i = 0; i < size; ++i) numbers[i] = f(i);
    return numbers;
  }
  static bool everyone(std::size_t) { return true; }
  static bool all_but_first(std::size_t i) { return i > 0; }
  static bool first_only(std::size_t i) { return i == 0; }

  template <class F>
  void use(int line, const Numbers& numbers, F active) {
    for (std::size_t i = 0; i < size; ++i) {
      if (active(i) && numbers[i].undefined) uses[line] = uses[line] | LaneSet::lane(int(i));
    }
  }
  template <class F>
  void store(Stored where, const Numbers& numbers, F active) {
    use(K::store_line, numbers, active);
    for (std::size_t i = 0; i < size; ++i) {
      if (active(i)) memory[(first_ + i) * stores + where] = numbers[i].value;
    }
  }

  void run_subgroup(const Words& in) {
    const auto own = [&](std::size_t i) { return in[first_ + i]; };
    // An undefined value is that of the lane modulo the subgroup size.
    const Numbers below = each([&](std::size_t i) {
      return Number{own((i + size - 2) % size), i < 2};
    });
    store(selected, each([&](std::size_t i) {
            return Number{below[i].value > 500 ? own(i) + 1 : own(i) * 2, below[i].undefined};
          }),
          everyone);
    Numbers x = each([&](std::size_t i) {
      if (i % 3 == 0) return Number{own(i) + below[i].value, below[i].undefined};
      if (i % 3 == 1) return Number{own(i) ^ below[i].value, below[i].undefined};
      return Number{own(i)};
    });
    store(assigned, x, everyone);
    Numbers count{};
    std::array<bool, size> inside;
    inside.fill(true);
    for (bool any = true; any;) {
      use(K::end_of_main - 20, x, [&](std::size_t i) { return inside[i]; });
      any = false;
      for (std::size_t i = 0; i < size; ++i) {
        inside[i] = inside[i] && x[i].value > 40;
        if (!inside[i]) continue;
        any = true;
        x[i].value /= 3;
        if (i == 1) x[i] = {7};
        ++count[i].value;
      }
    }
    store(looped, each([&](std::size_t i) {
            return Number{count[i].value + x[i].value, x[i].undefined};
          }),
          everyone);
    Numbers sums{};
    Number sum, largest;
    for (std::size_t i = 1; i < size; ++i) {
      sum = {sum.value + x[i].value, sum.undefined || x[i].undefined};
      largest = {std::max(largest.value, below[i].value), largest.undefined || below[i].undefined};
      sums[i] = sum;
    }
    store(scanned, sums, all_but_first);
    const Number both{sum.value + largest.value, sum.undefined || largest.undefined};
    store(summed, each([&](std::size_t) { return both; }), all_but_first);
    const Number from_one_and_five{below[1].value + x[5].value, true};
    store(sent, each([&](std::size_t) { return from_one_and_five; }), everyone);
    use(K::end_of_main - 7, below, everyone);
    store(sent, x, [&](std::size_t i) { return below[i].value > 500; });
    use(K::store_line, below, first_only);
    store(sent, each([](std::size_t) { return Number{9}; }), first_only);
    use(K::end_of_main - 1, each([](std::size_t) { return Number{0, true}; }), everyone);
    store(sent, each([](std::size_t) { return Number{3}; }), everyone);
  }

  std::size_t first_ = 0;
};

TEST_CASE("undefined lanes spread, and their uses are reported, as in a loop over lanes") {
  const Machines machine = GENERATE(one_mask, tangles);
  const auto rest = static_cast<uint32_t>(GENERATE(0, 400, 700));
  Words in(16), out(in.size() * stores);
  test::Random random = test::make_random(rest);
  for (uint32_t& word : in) word = static_cast<uint32_t>(random() % 300 + rest);
  SpreadByLanes want;
  want.run(in);
  const FaultLog log = run_checked<Spread, 8>(machine, 8, 1, in, out);
  CHECK(out == want.memory);
  std::map<int, LaneSet> uses;
  for (const Finding& f : log.findings()) {
    CAPTURE(to_string(f));
    CHECK(f.rule == "shuffle-past-edge");
    CHECK(f.origin.line == Spread<FastMachine<8>>::shuffle_line);
    CHECK(std::string_view(f.origin.file) == __FILE__);
    uses[f.where.line] = uses[f.where.line] | f.lanes;
  }
  CHECK(uses == want.uses);
}

// Every kind of value, undefined in lane 1.

LOCKSTEP_STRUCT(Cell, (vec2, at), (uint, counts, 3), (mat2, turn));

template <class S>
struct EveryKind : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<Cell> cells;
  Buffer<vec3> vectors;
  Buffer<float> floats;
  Buffer<uint> words;
  image2D picture;
  uimage2D counters;

  void main() {
    const Uint i = gl_SubgroupInvocationID;
    const Uint from = select(i < 2u, 1u - i, i);  // lane 1 reads lane 0, which is inactive below
    auto one = var(1.0f);
    auto index = var(i);
    If (i != 0u) {
      one = subgroupShuffle(Float(1.0f), from);
      index = subgroupShuffle(i, from);
    }
    // Defined again, or still.
    auto again = var(one);
    again = 2.0f;
    floats[i] = again;

    auto v = var(vec3(one, 2.0f, 3.0f));
    v += vec3(1.0f, one, 0.0f);
    v[2] = v.z * 2.0f;
    vectors[i] = vec3(v.z, v.z, length(vec2(3.0f, 4.0f)));
    vectors[i] = normalize(v.zyz());
    floats[i] = clamp(max(one, sqrt(v.y)), 0.0f, 9.0f);
    words[i] = select(all(lessThan(v.xy(), vec2(9.0f))), Uint(5u), 6u);

    const mat2 m = mat2(one) * mat2(2.0f);
    cells[i].turn = matrixCompMult(transpose(m), m);
    cells[i].at = mat2(1.0f) * vec2(1.0f);
    cells[i].at.y += one;
    cells[i].counts[index % 3u] = 7u;
    const auto cell = copy_of(cells[i]);
    cells[i] = cell;

    imageStore(picture, ivec2(i, 0), vec4(one));
    const vec4 texel = imageLoad(picture, ivec2(Int(index), 0));
    floats[i] = texel.x;
    imageAtomicAdd(counters, ivec2(i, 0), index);
    words[i] = atomicAdd(words[index], 1u);

    Switch (index) {
      Case(0) {
        words[i] = 10u;
        Break;
      }
      Default { words[i] = 11u; }
    }
    auto trips = var(0u);
    Do {
      trips += 1u;
      LoopWhile(trips < index);
    }
    For (auto k = var(0u), k < index, k += 1u) {
    }
    If (AndAlso(one > 0.0f, i < 9u)) {
      words[i] += 1u;
    }
    floats[i] = Choose(i == 1u, Float(one), Float(3.0f));
  }
};

TEST_CASE("values of every kind know where they are undefined") {
  const Machines machine = GENERATE(one_mask, tangles);
  std::vector<Cell> cells(4);
  std::vector<std430::vec3> vectors(4);
  std::vector<float> floats(4);
  Words words(4);
  Image2D picture(ImageFormat::rgba32f, 4, 1), counters(ImageFormat::r32ui, 4, 1);
  const FaultLog log =
      run_checked<EveryKind, 4>(machine, 4, 1, cells, vectors, floats, words, picture, counters);
  std::vector<std::string> messages;
  for (const Finding& f : log.findings()) {
    CAPTURE(to_string(f));
    CHECK(f.rule == "undefined-shuffle");
    CHECK(f.lanes == LaneSet::lane(1));
    messages.push_back(f.message.substr(0, f.message.find(';')));
  }
  const std::string value = "an undefined value ", stored = value + "is stored to ",
                    index = value + "is the index or address of an access",
                    branch = value + "decides a branch";
  CHECK(messages ==
        std::vector<std::string>{
            stored + "buffer 1", stored + "buffer 2", stored + "buffer 3", stored + "buffer 0",
            stored + "buffer 0", index, stored + "image 4", value + "is a coordinate of image 4",
            value + "is the operand of an atomic on image 5", index,
            value + "selects the case of a switch", branch, branch, branch, stored + "buffer 2"});
  for (uint32_t i : {0u, 2u, 3u}) {
    CAPTURE(i);
    Cell cell;
    cell.at = {1, 2};
    cell.counts[i % 3] = 7;
    cell.turn = {{{4, 0}, {0, 4}}};
    CHECK(cells[i] == cell);
    CHECK(vectors[i] == std430::vec3{6 / 9.0f, 3 / 9.0f, 6 / 9.0f});
    CHECK(floats[i] == 3);
    CHECK(words[i] == (i == 0 ? 11 : 12));
  }
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
