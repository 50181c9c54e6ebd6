#include <lockstep/workgroup/memory.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace lockstep;

namespace {

using Uint = std::uint32_t;

// Index patterns: base + lane, base + rank among the active lanes, one for all, backwards, two apart, and
// anything up to a little beyond the array.
enum Pattern { consecutive, packed, uniform, backwards, strided, scattered, patterns };

template <int W>
Uint index_of(Pattern pattern, int lane, Mask<W> active, std::mt19937& random) {
  int rank = 0;
  for (int i = 0; i < lane; ++i) rank += active.test(i);
  switch (pattern) {
    case consecutive:
      return 3 + static_cast<Uint>(lane);
    case packed:
      return 5 + static_cast<Uint>(rank);
    case uniform:
      return 4;
    case backwards:
      return static_cast<Uint>(2 * W - lane);
    case strided:
      return static_cast<Uint>(2 * lane);
    default:
      return static_cast<Uint>(random() % (2 * W + 10));
  }
}

// An array of exactly `size` elements on the heap, so that a sanitizer sees any access beyond it.
template <class T, int W>
struct Subgroup {
  explicit Subgroup(Uint size) : memory(size) {
    for (Uint i = 0; i < size; ++i) memory[i] = static_cast<T>(i * 3 + 1);
  }
  Array<T, W> array() {
    return Array<T, W>({memory.data(), static_cast<Uint>(memory.size()), 6, &active, &location});
  }
  std::vector<T> memory;
  Mask<W> active;
  Location location{.workgroup = {1, 2, 3}, .subgroup = 4, .only_thread = true, .faults = {}};
};

template <class T, int W>
void check_accesses() {
  std::mt19937 random(W);
  std::vector<Mask<W>> masks = {Mask<W>::none(), Mask<W>::all(), Mask<W>::lane(W - 1),
                                Mask<W>::first_n(W / 2 + 1)};
  for (int k = 0; k < 4; ++k) {
    Mask<W> m;
    for (int i = 0; i < W; ++i) m = random() % 3 != 0 ? m | Mask<W>::lane(i) : m;
    masks.push_back(m);
  }
  for (const Mask<W> active : masks) {
    for (int p = 0; p < patterns; ++p) {
      for (const Uint size : {Uint{0}, Uint{4}, Uint(W + 3), Uint(2 * W + 8)}) {
        Subgroup<T, W> subgroup(size);
        subgroup.active = active;
        Uint index[128] = {};
        for (int i = 0; i < W; ++i) {
          index[i] = active.test(i) ? index_of<W>(Pattern(p), i, active, random) : Uint(random());
          // Whole-register paths look at inactive lanes too; there they hold what an expression gives.
          if (p == consecutive) index[i] = 3 + static_cast<Uint>(i);
        }
        const auto lanes = Lanes<Uint, W>::generate([&](int i) { return index[i % W]; });
        const auto value =
            Lanes<T, W>::generate([](int i) { return static_cast<T>(100 + i % 100); });
        CAPTURE(W, p, size, active.low64(), active.high64());

        const Lanes<T, W> read = subgroup.array()[lanes];
        Uint faults = 0;
        for (int i = 0; i < W; ++i) {
          if (!active.test(i)) continue;
          const T want = index[i] < size ? subgroup.memory[index[i]] : T(0);
          faults += index[i] >= size;
          CHECK(read[i] == want);
        }
        CHECK(subgroup.location.faults.count() == faults);

        std::vector<T> expected = subgroup.memory;
        for (int i = 0; i < W; ++i) {
          if (active.test(i) && index[i] < size) expected[index[i]] = static_cast<T>(100 + i % 100);
        }
        subgroup.array()[lanes] = value;
        CHECK(subgroup.memory == expected);
        CHECK(subgroup.location.faults.count() == 2 * faults);
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Array: reads and writes each active lane's element, and no other", "",
                   std::uint8_t, std::int16_t, std::uint32_t, float, double) {
  check_accesses<TestType, 1>();
  check_accesses<TestType, 24>();
  check_accesses<TestType, 32>();
  check_accesses<TestType, 128>();
}

TEST_CASE("Array: one index for all lanes") {
  Subgroup<Uint, 24> subgroup(10);
  subgroup.active = Mask<24>::lane(3) | Mask<24>::lane(17);
  auto array = subgroup.array();
  CHECK(array.length() == 10);
  const Lanes<Uint, 24> read = array[7u];
  CHECK(read[3] == 22);
  array[7u] = Lanes<Uint, 24>::iota();
  CHECK(subgroup.memory[7] == 17);  // the highest active lane's value stays
  array[10u] = Lanes<Uint, 24>(5u);
  CHECK(Lanes<Uint, 24>(array[11u])[3] == 0);
  CHECK(subgroup.location.faults.count() == 2);
}

TEST_CASE("Array: one value for all lanes") {
  Subgroup<Uint, 24> subgroup(10);
  auto array = subgroup.array();
  const std::vector<Uint> before = subgroup.memory;
  subgroup.active = Mask<24>::none();
  array[7u] = 5u;
  array[10u] = 5u;
  array[Lanes<Uint, 24>::iota()] = 5u;
  CHECK(subgroup.memory == before);
  CHECK(subgroup.location.faults.count() == 0);

  subgroup.active = Mask<24>::lane(3) | Mask<24>::lane(17);
  array[7u] = 5u;
  array[Lanes<Uint, 24>::iota()] = 6u;  // lane 17 has no element
  std::vector<Uint> expected = before;
  expected[7] = 5;
  expected[3] = 6;
  CHECK(subgroup.memory == expected);
  CHECK(subgroup.location.faults.count() == 1);
  array[10u] = 5u;  // counts once, for the lowest of them
  CHECK(subgroup.memory == expected);
  CHECK(subgroup.location.faults.count() == 2);
  CHECK(subgroup.location.faults.findings().back().lanes == LaneSet::lane(3));
}

TEST_CASE("Array: a fault names the access") {
  Subgroup<Uint, 8> subgroup(4);
  subgroup.active = Mask<8>::lane(5) | Mask<8>::lane(6);
  subgroup.array()[Lanes<Uint, 8>::iota() * 2u] = Lanes<Uint, 8>(1u);
  const Finding& fault = subgroup.location.faults.first();
  CHECK(fault.rule == "out-of-bounds");
  CHECK(fault.access.kind == AccessKind::write);
  CHECK(fault.access.object == MemoryObject{.kind = MemoryObject::Kind::buffer, .binding = 6});
  CHECK(fault.access.index == 10);
  CHECK(fault.access.size == 4);
  CHECK(fault.workgroup == Size3{1, 2, 3});
  CHECK(fault.subgroup == 4);
  CHECK(fault.lanes == (LaneSet::lane(5) | LaneSet::lane(6)));
  CHECK(fault.count == 2);
}

TEST_CASE("Array: a negative index is beyond any array") {
  Subgroup<Uint, 8> subgroup(4);
  subgroup.active = Mask<8>::all();
  CHECK(Lanes<Uint, 8>(subgroup.array()[Lanes<std::int32_t, 8>(-1)])[0] == 0);
  CHECK(subgroup.location.faults.count() == 8);
}

TEST_CASE("Element: compound assignment reads and writes the active lanes' elements") {
  Subgroup<Uint, 8> subgroup(8);
  subgroup.active = Mask<8>::first_n(3);
  subgroup.array()[Lanes<Uint, 8>::iota()] += Lanes<Uint, 8>(10u);
  CHECK(subgroup.memory == std::vector<Uint>{11, 14, 17, 10, 13, 16, 19, 22});
  subgroup.array()[Lanes<Uint, 8>::iota()] -= Lanes<Uint, 8>(1u);
  subgroup.array()[Lanes<Uint, 8>::iota()] *= Lanes<Uint, 8>(2u);
  CHECK(subgroup.memory == std::vector<Uint>{20, 26, 32, 10, 13, 16, 19, 22});
}
