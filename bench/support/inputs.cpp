#include "support/inputs.hpp"

#include <random>

namespace lockstep::bench {
namespace {

using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

template <class T>
T draw(Random& random, Values values) {
  switch (values) {
    case Values::powers_of_two:
      return static_cast<T>(1u << below(random, 3)) / static_cast<T>(2);
    case Values::few:
      return static_cast<T>(below(random, 4));
    default:
      return static_cast<T>(1 + below(random, 1000));
  }
}

std::uint32_t draw(Random& random, Numbers numbers, std::uint32_t lane, std::uint32_t width) {
  switch (numbers) {
    case Numbers::lane:
      return below(random, width);
    case Numbers::distance:
      return below(random, lane + 1);
    case Numbers::room:
      return below(random, width - lane);
    case Numbers::in_quad:
      return below(random, 4);
  }
  return 0;
}

template <int W, class Word>
void draw_bools(Random& random, bool (&lanes)[W], Word& bits, std::uint32_t yes_in_four) {
  bits = 0;
  for (int i = 0; i < W; ++i) {
    lanes[i] = below(random, 4) < yes_in_four;
    if (lanes[i]) bits |= static_cast<Word>(Word{1} << i);
  }
}

template <class T, int W>
void draw_partition(Random& random, Inputs<T, W>& inputs, int set) {
  std::uint32_t subsets[4][4] = {};
  std::uint32_t subset_of[W];
  for (int i = 0; i < W; ++i) {
    subset_of[i] = below(random, 4);
    if (inputs.active[set][i]) subsets[subset_of[i]][i / 32] |= 1u << i % 32;
  }
  for (int i = 0; i < W; ++i) {
    for (int w = 0; w < Inputs<T, W>::words; ++w)
      inputs.ballot[set][w][i] = subsets[subset_of[i]][w];
  }
}

}  // namespace

template <class T, int W>
void fill(Inputs<T, W>& inputs, Values values, Numbers numbers) {
  Random random(W);
  inputs.size = W;
  for (int set = 0; set < Inputs<T, W>::count; ++set) {
    draw_bools<W>(random, inputs.active[set], inputs.active_bits[set], set % 8 == 0 ? 4 : 3);
    // Some sets are all true or all false, the others mixed half and half.
    draw_bools<W>(random, inputs.condition[set], inputs.condition_bits[set],
                  set % 4 == 0 ? 4 * below(random, 2) : 2);
    inputs.id[set] = below(random, W);
    const T common = draw<T>(random, values);
    for (int i = 0; i < W; ++i) {
      const auto lane = static_cast<std::uint32_t>(i);
      const bool equal = values == Values::often_equal && set % 2 == 0;
      inputs.value[set][i] = equal ? common : draw<T>(random, values);
      const bool as_before = numbers == Numbers::in_quad && i % 4 != 0;
      inputs.number[set][i] =
          as_before ? inputs.number[set][i - 1] : draw(random, numbers, lane, W);
    }
    draw_partition(random, inputs, set);
  }
}

#define LOCKSTEP_FILL(T)                               \
  template void fill(Inputs<T, 8>&, Values, Numbers);  \
  template void fill(Inputs<T, 32>&, Values, Numbers); \
  template void fill(Inputs<T, 64>&, Values, Numbers); \
  template void fill(Inputs<T, 128>&, Values, Numbers);
LOCKSTEP_FILL(std::uint32_t)
LOCKSTEP_FILL(float)

}  // namespace lockstep::bench
