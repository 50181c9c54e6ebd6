#include <lockstep/workgroup/place.hpp>

#include <cstring>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "support/types.hpp"

namespace {

using namespace lockstep;
using Uint = std::uint32_t;

constexpr Uint stride = 12;  // of those tests that try only one

// Base + lane, one for all, two apart, and anything up to a little beyond the array.
enum Pattern { row, uniform, strided, scattered, patterns };

template <int W>
Uint index_of(Pattern pattern, int lane, std::mt19937& random) {
  switch (pattern) {
    case row:
      return 2 + static_cast<Uint>(lane);
    case uniform:
      return 3;
    case strided:
      return static_cast<Uint>(2 * lane);
    default:
      return static_cast<Uint>(random() % (2 * W + 9));
  }
}

template <class T>
T number_at(const std::vector<std::byte>& memory, std::size_t at) {
  T value;
  std::memcpy(&value, &memory[at], sizeof(T));
  return value;
}

template <int W, Uint Stride = stride>
struct Subgroup {
  explicit Subgroup(Uint elements) : memory(elements * Stride), size(elements) {
    for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<std::byte>(k * 7 + 1);
  }
  detail::View<std::byte, W> view() { return {memory.data(), size, 6, &active, &location}; }

  std::vector<std::byte> memory;
  Uint size;
  Mask<W> active;
  Location location{.workgroup = {1, 2, 3}, .subgroup = 4, .only_thread = true, .faults = {}};
};

template <int W>
std::vector<Mask<W>> some_masks(std::mt19937& random) {
  std::vector<Mask<W>> masks = {Mask<W>::none(), Mask<W>::all(), Mask<W>::lane(W - 1)};
  for (int k = 0; k < 3; ++k) {
    masks.push_back(Mask<W>::none());
    for (int i = 0; i < W; ++i) {
      if (random() % 3 != 0) masks.back() = masks.back() | Mask<W>::lane(i);
    }
  }
  return masks;
}

/// Reads and writes the number T at `offset` of each lane's element, by `make(view, index)`.
template <class T, Uint Stride, int W, class Make>
void check_place(Uint size, Pattern pattern, Mask<W> active, std::mt19937& random, Make make) {
  constexpr Uint offset = Stride - sizeof(T);
  Subgroup<W, Stride> subgroup(size);
  subgroup.active = active;
  Uint index[128] = {};
  for (int i = 0; i < W; ++i) {
    // Inactive lanes hold garbage, except where a whole row is looked at.
    index[i] = active.test(i) || pattern == row || pattern == uniform
                   ? index_of<W>(pattern, i, random)
                   : static_cast<Uint>(random());
  }
  const auto lanes = Lanes<Uint, W>::generate([&](int i) { return index[i % W]; });
  const auto value = Lanes<T, W>::generate([](int i) { return static_cast<T>(100 + i); });
  CAPTURE(W, Stride, pattern, size, active.low64(), active.high64());

  const auto place = make(subgroup.view(), lanes);
  const Lanes<T, W> read = place.access(
      AccessKind::read, [](const auto& from) { return from.template load<T, offset>(); });
  Uint faults = 0;
  for (int i = 0; i < W; ++i) {
    if (!active.test(i)) continue;
    const bool exists = index[i] < size;
    const T want = exists ? number_at<T>(subgroup.memory, index[i] * Stride + offset) : T(0);
    faults += !exists;
    CHECK(std::memcmp(&want, &static_cast<const T&>(read[i]), sizeof(T)) == 0);
  }
  // One index for all is one access.
  if (pattern == uniform && faults > 1) faults = 1;
  CHECK(subgroup.location.faults.count() == faults);

  std::vector<std::byte> expected = subgroup.memory;
  for (int i = 0; i < W; ++i) {
    const T mine = static_cast<T>(100 + i);
    if (active.test(i) && index[i] < size)
      std::memcpy(&expected[index[i] * Stride + offset], &mine, sizeof(T));
  }
  place.access(AccessKind::write, [&](const auto& to) { to.template store<T, offset>(value); });
  CHECK(subgroup.memory == expected);
  CHECK(subgroup.location.faults.count() == 2 * faults);
  if (faults > 0) {
    CHECK(subgroup.location.faults.first().access.kind == AccessKind::read);
    CHECK(subgroup.location.faults.first().access.object.binding == 6);
    CHECK(subgroup.location.faults.first().access.size == size);
  }
}

template <class T, Uint Stride, int W>
void check_places() {
  std::mt19937 random(W);
  using Index = Lanes<Uint, W>;
  for (const Mask<W> active : some_masks<W>(random)) {
    for (const Uint size : {Uint{0}, Uint{3}, Uint(W + 1), Uint(2 * W + 8)}) {
      for (int p = 0; p < patterns; ++p) {
        check_place<T, Stride>(size, Pattern(p), active, random,
                               [p](const detail::View<std::byte, W>& view, const Index& index) {
                                 static ReconvergenceStack stack;
                                 static exec::TangledState<W> state(stack);
                                 const bool same = p == uniform;
                                 const auto at = same ? detail::TracedIndex<W>(index[0])
                                                      : detail::TracedIndex<W>(index);
                                 return TracedPlace<std::byte, W, Stride>{view, at, &state};
                               });
        if (p == uniform) {
          check_place<T, Stride>(size, uniform, active, random,
                                 [](const detail::View<std::byte, W>& view, const Index& index) {
                                   return Place<std::byte, W, Stride, Uint>{view, index[0]};
                                 });
        } else {
          check_place<T, Stride>(size, Pattern(p), active, random,
                                 [](const detail::View<std::byte, W>& view, const Index& index) {
                                   return Place<std::byte, W, Stride, Index>{view, index};
                                 });
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("Place: each active lane's number inside its element, and no other", "",
                   std::uint8_t, double) {
  test::for_each_size([]<int W>(test::Size<W>) {
    if constexpr (W > 1) check_places<TestType, 12, W>();
  });
}

TEMPLATE_TEST_CASE("Place: numbers of several a register", "", float, double) {
  test::for_each_size(test::SizeList<3, 32>{}, []<int W>(test::Size<W>) {
    check_places<TestType, 8, W>();
    check_places<TestType, 16, W>();
    check_places<TestType, 32, W>();
  });
}

TEST_CASE("Place: a subgroup of one lane") {
  std::mt19937 random(1);
  for (const auto active : {Mask<1>::none(), Mask<1>::all()}) {
    for (const Uint size : {0u, 2u, 3u}) {
      check_place<float, stride, 1>(
          size, row, active, random, [](const detail::View<std::byte, 1>& view, const auto& index) {
            return Place<std::byte, 1, stride, Lanes<Uint, 1>>{view, index};
          });
    }
  }
}

TEST_CASE("InnerPlace: an array inside of each element, with faults of its own") {
  constexpr int W = 24;
  using Index = Lanes<Uint, W>;
  for (const Uint outer_size : {4u, 30u}) {
    for (int shape = 0; shape < 4; ++shape) {
      Subgroup<W> subgroup(outer_size);
      subgroup.active = Mask<W>::from_bits(0xdfff7d);
      const auto outer_at = [&](int i) { return shape % 2 ? Uint(i) : Uint(29 - i); };
      const auto inner_at = [&](int i) { return shape < 2 ? Uint(i % 4) : 1u; };
      const auto outer = Index::generate(outer_at);
      const auto inner = Index::generate(inner_at);
      using Outer = Place<std::byte, W, stride, Index>;
      // Three numbers of two bytes, from byte 4.
      const auto read = [&](const auto& place) {
        return place.access(AccessKind::read, [](const auto& from) {
          return from.template load<std::uint16_t, 0>();
        });
      };
      const Lanes<std::uint16_t, W> got =
          shape < 2 ? read(InnerPlace<Outer, 4, 2, 3, Index>{{subgroup.view(), outer}, inner})
                    : read(InnerPlace<Outer, 4, 2, 3, Uint>{{subgroup.view(), outer}, 1u});
      std::uint64_t faults = 0;
      for (int i = 0; i < W; ++i) {
        if (!subgroup.active.test(i)) continue;
        const bool exists = outer_at(i) < outer_size && inner_at(i) < 3;
        faults += !exists;
        const std::size_t at = outer_at(i) * stride + 4 + inner_at(i) * 2;
        CAPTURE(outer_size, shape, i);
        CHECK(got[i] == (exists ? number_at<std::uint16_t>(subgroup.memory, at) : 0));
      }
      CHECK(subgroup.location.faults.count() == faults);
      if (outer_size == 30 && shape < 2) {
        CHECK(subgroup.location.faults.first().access.index == 3);
        CHECK(subgroup.location.faults.first().access.size == 3);
        CHECK(subgroup.location.faults.first().lanes.first() == 3);
      }
    }
  }
}

TEST_CASE("InnerPlace: one inner index beyond the array is a fault of each active lane") {
  constexpr int W = 8;
  Subgroup<W> subgroup(3);
  subgroup.active = Mask<W>::from_bits(0x16);
  using Outer = Place<std::byte, W, stride, Uint>;
  const InnerPlace<Outer, 0, 4, 3, Uint> place{{subgroup.view(), 2u}, 3u};
  const std::vector<std::byte> before = subgroup.memory;
  place.access(AccessKind::write,
               [](const auto& to) { to.template store<Uint, 0>(Lanes<Uint, W>(9u)); });
  CHECK(subgroup.memory == before);
  CHECK(subgroup.location.faults.count() == 3);
  CHECK(subgroup.location.faults.first().lanes.first() == 1);
  CHECK(place.at(1, AccessKind::write) == nullptr);
}

/// Reads, reads to change and writes two bytes by `make(element of pixel memory, lane's inner index)`.
template <int W, class Make>
void check_covered(Pattern pattern, Mask<W> active, Mask<W> covered, Make make) {
  using Index = Lanes<Uint, W>;
  std::mt19937 random(W);
  Subgroup<W> subgroup(W + 1);
  subgroup.active = active;
  Uint index[128] = {};
  for (int i = 0; i < W; ++i) index[i] = index_of<W>(pattern, i, random);
  const auto lanes = Index::generate([&](int i) { return index[i % W]; });
  const auto place = make(
      CoveredPlace<std::byte, W, stride, Index>{{subgroup.view(), lanes}, &covered}, Index::iota());
  CAPTURE(W, pattern, active.low64(), covered.low64());

  const auto read = [](const auto& from) { return from.template load<std::uint16_t, 0>(); };
  std::uint64_t faults = 0;
  for (const Mask<W> readers : {active, active & covered}) {
    const auto got = readers == active ? place.access(AccessKind::read, read)
                                       : place.without_helpers().access(AccessKind::read, read);
    for (int i = 0; i < W; ++i) {
      if (!readers.test(i)) continue;
      const bool exists = index[i] < subgroup.size;
      faults += !exists;
      const std::size_t at = index[i] * stride + 2 * static_cast<std::size_t>(i % 4);
      CHECK(got[i] == (exists ? number_at<std::uint16_t>(subgroup.memory, at) : 0));
    }
    CHECK(subgroup.location.faults.count() == faults);
  }

  std::vector<std::byte> expected = subgroup.memory;
  for (int i = 0; i < W; ++i) {
    if (!active.test(i) || !covered.test(i)) continue;
    const auto mine = static_cast<std::uint16_t>(1000 + i);
    const std::size_t at = index[i] * stride + 2 * static_cast<std::size_t>(i % 4);
    if (index[i] < subgroup.size)
      std::memcpy(&expected[at], &mine, sizeof mine);
    else
      ++faults;
  }
  place.access(AccessKind::write, [](const auto& to) {
    to.template store<std::uint16_t, 0>(
        Lanes<std::uint16_t, W>::generate([](int i) { return std::uint16_t(1000 + i); }));
  });
  CHECK(subgroup.memory == expected);
  CHECK(subgroup.location.faults.count() == faults);
  CHECK(place.active() == (active & covered));
}

TEST_CASE("CoveredPlace: helpers read, also inside of elements, and do nothing else") {
  test::for_each_size([]<int W>(test::Size<W>) {
    if constexpr (W > 1) {
      std::mt19937 random(W);
      const auto inner = [](const auto& place, const Lanes<Uint, W>& lane) {
        using Outer = std::remove_cvref_t<decltype(place)>;
        return InnerPlace<Outer, 0, 2, 4, Lanes<Uint, W>>{place, lane % 4u};
      };
      for (const Mask<W> active : some_masks<W>(random)) {
        for (const Mask<W> covered : some_masks<W>(random)) {
          for (const Pattern pattern : {row, strided, scattered})
            check_covered<W>(pattern, active, covered, inner);
        }
      }
    }
  });
}

}  // namespace
