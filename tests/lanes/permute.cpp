#include <lockstep/lanes/permute.hpp>

#include <catch2/catch.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Indices for every physical lane: below the physical width, or any number.
template <int W>
LaneArray<std::uint32_t, W> sample_indices(bool any, Random& random) {
  LaneArray<std::uint32_t, W> index;
  for (std::uint32_t& i : index) {
    i = random_bits<std::uint32_t>(random);
    if (!any) i %= static_cast<std::uint32_t>(physical_lanes(W));
  }
  return index;
}

template <class T, int W>
void check_permute() {
  Random random = make_random(W);
  for (int round = 0; round < 8; ++round) {
    const auto values = sample_values<T, W>(random, Values::special);
    const auto index = sample_indices<W>(round % 2 == 1, random);
    LaneArray<T, W> expected = {};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::size_t from = index[i] % expected.size();
      // Lanes of bool hold nothing in the padding.
      if (!std::is_same_v<T, bool> || (i < W && from < W)) expected[i] = values[from];
    }
    const auto got =
        to_array(permute(lanes_from<T, W>(values), lanes_from<std::uint32_t, W>(index)));
    // Padding included; bit for bit, as a move keeps even what a NaN carries.
    std::string wrong;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (bits_of(got[i]) != bits_of(expected[i])) wrong += "lane " + std::to_string(i) + "\n";
    }
    INFO(describe<T>(Mask<W>::all()) << ", round " << round);
    CHECK(wrong == "");
  }
}

}  // namespace

TEST_CASE("permute: each lane takes the lane it names, modulo the physical width") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) { check_permute<T, W>(); });
  for_each_size([]<int W>(Size<W>) { check_permute<bool, W>(); });
}

TEST_CASE("permute: reversed and swapped neighbours") {
  for_each_size([]<int W>(Size<W>) {
    INFO("W = " << W);
    Random random = make_random(W);
    const auto values = sample_values<std::uint32_t, W>(random, Values::special);
    LaneArray<std::uint32_t, W> last, neighbour, reversed = {}, swapped = {};
    for (std::size_t i = 0; i < last.size(); ++i) {
      last[i] = static_cast<std::uint32_t>(last.size() - 1 - i);
      neighbour[i] = static_cast<std::uint32_t>(i % 2 == 0 ? i + 1 : i - 1);
      reversed[i] = values[last[i]];
      swapped[i] = values[neighbour[i] % last.size()];
    }
    const auto lanes = lanes_from<std::uint32_t, W>(values);
    CHECK(difference(permute(lanes, lanes_from<std::uint32_t, W>(last)), reversed) == "");
    CHECK(difference(permute(lanes, lanes_from<std::uint32_t, W>(neighbour)), swapped) == "");
  });
}
