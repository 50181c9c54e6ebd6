#pragma once

#include <string>
#include <vector>

#include <lockstep/lanes/mask.hpp>

#include "support/settings.hpp"
#include "support/types.hpp"

/// \file
/// The corpus of masks. Everything that does not need W as a constant is compiled once per file.

namespace lockstep::test {

/// A mask of any width: lanes 0 to 63 and 64 to 127.
struct MaskBits {
  std::uint64_t low = 0, high = 0;

  static MaskBits first_n(int count) {
    const auto ones = [](int n) {
      return n <= 0 ? 0 : n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    };
    return {ones(count), ones(count - 64)};
  }
  static MaskBits lane(int i) {
    return i < 64 ? MaskBits{std::uint64_t{1} << i, 0} : MaskBits{0, std::uint64_t{1} << (i - 64)};
  }

  bool test(int i) const { return ((i < 64 ? low >> i : high >> (i - 64)) & 1) != 0; }
  friend MaskBits operator&(MaskBits a, MaskBits b) { return {a.low & b.low, a.high & b.high}; }
  friend MaskBits operator~(MaskBits a) { return {~a.low, ~a.high}; }
  friend bool operator==(MaskBits, MaskBits) = default;
};

/// A random mask: most are even mixtures, some have few or almost all lanes.
inline MaskBits random_mask_bits(int width, Random& random) {
  // Statement by statement, because compilers differ in the order of evaluation of operands.
  MaskBits mask{random(), random()};
  const auto density = random() % 4;
  if (density < 2) {
    mask = mask & MaskBits{random(), random()};
    mask = mask & MaskBits{random(), random()};
  }
  if (density == 0) mask = ~mask;
  return mask & MaskBits::first_n(width);
}

/// The corpus for one width, without repetitions: none, all, first, last, each one-hot, each
/// all-but-one, every prefix, every suffix, both alternations, random ones. W <= 4 gets every mask.
/// Above W = 8 a sampled run takes the families at a few lanes only, those next to the ends of
/// words and registers.
inline std::vector<MaskBits> mask_corpus(int width) {
  std::vector<MaskBits> corpus;
  const MaskBits all = MaskBits::first_n(width);
  const auto add = [&](MaskBits mask) {
    mask = mask & all;
    for (const MaskBits& seen : corpus) {
      if (seen == mask) return;
    }
    corpus.push_back(mask);
  };

  if (width <= 4) {
    for (std::uint64_t bits = 0; bits <= all.low; ++bits) add({bits, 0});
    return corpus;
  }
  add({});
  add(all);
  add({0x5555555555555555u, 0x5555555555555555u});
  add({0xaaaaaaaaaaaaaaaau, 0xaaaaaaaaaaaaaaaau});

  const auto take = [&](std::initializer_list<int> lanes, auto&& family) {
    if (width <= 8 || full_run()) {
      for (int i = 0; i < width; ++i) add(family(i));
    } else {
      for (const int i : lanes) {
        if (i < width) add(family(i));
      }
    }
  };
  take({0, 7, 31, 64, width - 1}, [](int i) { return MaskBits::lane(i); });
  take({0, 32, 63, width - 1}, [](int i) { return ~MaskBits::lane(i); });
  take({8, 33, 65, width - 1}, [](int i) { return MaskBits::first_n(i); });
  take({2, 15, 32, width - 2}, [](int i) { return ~MaskBits::first_n(i); });

  Random random = make_random(static_cast<std::uint64_t>(width));
  for (int n = full_run() ? 64 : 5; n > 0; --n) add(random_mask_bits(width, random));
  return corpus;
}

template <int W>
Mask<W> to_mask(MaskBits bits) {
  using Word = typename Mask<W>::Word;
  if constexpr (W <= 64)
    return Mask<W>::from_bits(static_cast<Word>(bits.low));
  else
    return Mask<W>::from_bits(static_cast<Word>(bits.high) << 64 | bits.low);
}

/// The corpus of masks for W lanes.
template <int W>
std::vector<Mask<W>> masks() {
  std::vector<Mask<W>> result;
  for (const MaskBits bits : mask_corpus(W)) result.push_back(to_mask<W>(bits));
  return result;
}

/// The corpus without the empty mask.
template <int W>
std::vector<Mask<W>> nonempty_masks() {
  std::vector<Mask<W>> result = masks<W>();
  result.erase(result.begin());
  return result;
}

/// Whether the mask contains only existing lanes, judged from its words without Mask's own functions.
template <int W>
bool only_lanes_below_width(Mask<W> mask) {
  const MaskBits bits{mask.low64(), mask.high64()};
  return (bits & MaskBits::first_n(W)) == bits;
}

template <int W>
Mask<W> random_mask(Random& random) {
  return to_mask<W>(random_mask_bits(W, random));
}

inline std::string describe(const char* type, int width, MaskBits mask) {
  char text[128];
  std::snprintf(text, sizeof text, "T = %s, W = %d, mask = 0x%llx'%016llx, seed = %llu", type,
                width, static_cast<unsigned long long>(mask.high),
                static_cast<unsigned long long>(mask.low), static_cast<unsigned long long>(seed()));
  return text;
}

/// The text for INFO while a mask is tested: INFO(describe<T>(mask)).
template <class T = bool, int W>
std::string describe(Mask<W> mask) {
  return describe(type_name<T>(), W, {mask.low64(), mask.high64()});
}

}  // namespace lockstep::test
