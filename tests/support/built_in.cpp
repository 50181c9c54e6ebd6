#include "support/built_in.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

namespace lockstep::test {
namespace {

/// Gives all lanes outside `active`, and the padding, different values and arguments.
template <class T>
void spoil_inactive(Arguments& a, Block<T>& values, bool uniform, Random& random) {
  const int physical = physical_lanes(a.width);
  for (int k = 0; k < 4 && !uniform; ++k)
    fill_garbage(values.component(k), a.active, physical, random);
  fill_garbage(a.number.data(), a.active, physical, random);
  for (int i = 0; i < physical; ++i) {
    if (!a.active.test(i)) {
      for (std::uint32_t* word :
           {&a.ballot[static_cast<std::size_t>(i)].x, &a.ballot[static_cast<std::size_t>(i)].y,
            &a.ballot[static_cast<std::size_t>(i)].z, &a.ballot[static_cast<std::size_t>(i)].w})
        *word = random_bits<std::uint32_t>(random);
    }
  }
}

/// Runs a built-in twice with different garbage in inactive lanes. Compares each active lane's
/// result with truth(values of a component, lane), which says whether it is defined and what is
/// allowed, and the lanes that the sibling in undefined:: returns. Returns what is wrong, in words.
template <class T, class Truth>
std::string mistakes(const BuiltIn<T>& built_in, Arguments a, Block<T> values, Random& random,
                     Truth&& truth) {
  Block<T> result, again;
  spoil_inactive(a, values, built_in.uniform, random);
  built_in.run(a, values, result);
  MaskBits undefined, undefined_again;
  if (built_in.undefined != nullptr) undefined = built_in.undefined(a, values);
  spoil_inactive(a, values, built_in.uniform, random);
  built_in.run(a, values, again);
  if (built_in.undefined != nullptr) undefined_again = built_in.undefined(a, values);

  std::string wrong;
  int count = 0;
  const auto report = [&](int component, int lane, const char* what, double got, double want) {
    if (++count > 4) return;
    char line[160];
    std::snprintf(line, sizeof line, "component %d, lane %d: %s: got %.17g, want about %.17g\n",
                  component, lane, what, got, want);
    wrong += line;
  };
  MaskBits expected_undefined;
  for (int i = 0; i < a.width; ++i) {
    if (!a.active.test(i)) continue;
    for (int k = 0; k < built_in.components; ++k) {
      const auto expected = truth(values.component(k), i);
      if (!expected.defined()) {
        expected_undefined = ~(~expected_undefined & ~MaskBits::lane(i));
        continue;
      }
      const T got = result.component(k)[i];
      const T got_again = again.component(k)[i];
      if (!expected.allows(got))
        report(k, i, "wrong", static_cast<double>(got), expected.about());
      else if (bits_of(got) != bits_of(got_again))
        report(k, i, "depends on inactive lanes", static_cast<double>(got_again),
               static_cast<double>(got));
    }
  }
  if (!built_in.left_out &&
      (!(undefined == expected_undefined) || !(undefined_again == expected_undefined))) {
    char line[160];
    std::snprintf(line, sizeof line, "undefined: got 0x%llx'%016llx, want 0x%llx'%016llx\n",
                  static_cast<unsigned long long>(undefined.high),
                  static_cast<unsigned long long>(undefined.low),
                  static_cast<unsigned long long>(expected_undefined.high),
                  static_cast<unsigned long long>(expected_undefined.low));
    wrong += line;
  }
  return wrong;
}

std::string describe(const char* type, const Arguments& a) {
  return describe(type, a.width, a.active) + ", size = " + std::to_string(a.size) +
         ", uniform = " + std::to_string(a.uniform) + ", cluster = " + std::to_string(a.cluster);
}

/// Calls f(arguments) for every mask at the full subgroup size and at one smaller size; numbers,
/// ballots and the uniform arguments are left to f.
template <class F>
void for_each_argument(int width, Random& random, F&& f) {
  for (const MaskBits mask : mask_corpus(width)) {
    Arguments a;
    a.width = width;
    a.size = width;
    a.active = mask;
    f(a);
    if (width == 1) continue;
    a.size = 1 + static_cast<int>(random() % static_cast<std::uint64_t>(width - 1));
    a.active = mask & MaskBits::first_n(a.size);
    f(a);
  }
}

/// Any number, mostly close to where lanes end.
std::uint32_t any_number(const Arguments& a, Random& random) {
  const auto size = static_cast<std::uint32_t>(a.size);
  const auto physical = static_cast<std::uint32_t>(physical_lanes(a.width));
  const std::uint32_t special[] = {0,           1,          size - 1,     size,
                                   size + 1,    physical,   2 * size - 1, 0x7fffffffu,
                                   0x80000000u, 0xffffffffu};
  const auto choice = random() % 16;
  return choice < std::size(special) ? special[choice] : static_cast<std::uint32_t>(random());
}
std::uint32_t lane_number(const Arguments& a, Random& random) {
  return static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(a.size));
}

/// How the lanes' numbers relate to one another.
enum class Numbers { lanes, anything, agreeing, agreeing_in_quads };

void fill_numbers(Arguments& a, Numbers kind, Random& random) {
  a.uniform = random() % 2 == 0 ? lane_number(a, random) : any_number(a, random);
  a.cluster = random() % 4 != 0 ? 1u << random() % 8 : any_number(a, random);
  for (std::size_t i = 0; i < a.number.size(); ++i) {
    switch (kind) {
      case Numbers::lanes:
        a.number[i] = lane_number(a, random);
        break;
      case Numbers::anything:
        a.number[i] = random() % 2 == 0 ? lane_number(a, random) : any_number(a, random);
        break;
      case Numbers::agreeing:
        a.number[i] = a.uniform;
        break;
      case Numbers::agreeing_in_quads:
        a.number[i] = i % 4 != 0 ? a.number[i - 1] : static_cast<std::uint32_t>(random() % 5);
        break;
    }
  }
}

/// A NaN with any bits in its payload, quiet or signalling.
template <class T>
T random_nan(Random& random) {
  const auto infinity = bits_of(T(std::numeric_limits<T>::infinity()));
  T value;
  do {
    value = std::bit_cast<T>(static_cast<BitsOf<T>>(random_bits<BitsOf<T>>(random) | infinity));
  } while (!is_nan(value));
  return value;
}

/// Any bit pattern; among floats many NaN, each with its own bits, which a move must keep.
template <class T>
T move_value(Random& random) {
  if constexpr (is_floating<T>) {
    if (random() % 4 == 0) return random_nan<T>(random);
  }
  return sample_value<T>(random, Values::special);
}

/// The kind of values of a combination.
enum class Inputs {
  anything,    ///< any bit pattern
  exact,       ///< numbers whose sums or products are exact in every order
  wide,        ///< numbers of any magnitude that neither overflow nor underflow in any order
  cancelling,  ///< numbers of one magnitude and both signs
  zeros,       ///< only +0 and -0
  mostly_nan
};

/// 2^r for a random r of -range to range, with a random sign.
template <class T>
T random_power(double range, Random& random) {
  const double r = (static_cast<double>(random() % 20001) / 10000.0 - 1.0) * range;
  const double value = (random() % 2 == 0 ? 1.0 : -1.0) * std::exp2(r);
  if constexpr (std::is_same_v<T, float16_t>)
    return expected::make_half(value);
  else
    return static_cast<T>(value);
}

template <class T>
T combination_value(Op op, Inputs inputs, int lane, int size, Random& random) {
  if constexpr (is_floating<T>) {
    const double exponents = std::numeric_limits<T>::max_exponent - 3;
    switch (inputs) {
      case Inputs::anything:
        return garbage<T>(random);
      case Inputs::exact:
        if (op == Op::add) return sample_value<T>(random, Values::small);
        // At most 6 factors other than 1 and -1: 3^6 fits the digits of a 16-bit float.
        if (lane % ((size + 5) / 6) != 0) return T(random() % 2 == 0 ? 1.0f : -1.0f);
        return T(std::array{2.0f, 0.5f, -3.0f, 1.0f}[random() % 4]);
      case Inputs::wide:
        return random_power<T>(op == Op::add ? exponents - 8 : exponents / size, random);
      case Inputs::cancelling:
        return random_power<T>(std::min(1.0, exponents / size), random);
      case Inputs::zeros:
        return T(random() % 2 == 0 ? 0.0f : -0.0f);
      case Inputs::mostly_nan:
        return random() % 8 == 0 ? garbage<T>(random) : random_nan<T>(random);
    }
  }
  return sample_value<T>(random, Values::special);
}

/// The kinds of values to try with an operator.
template <class T>
std::vector<Inputs> inputs_for(Op op, MaskBits active, bool uniform) {
  if constexpr (is_floating<T>) {
    if (op == Op::min || op == Op::max)
      return {Inputs::anything, Inputs::zeros, Inputs::mostly_nan};
    // NaN, infinities and -0 are only promised to survive where nothing is combined.
    const bool few = std::popcount(active.low) + std::popcount(active.high) <= 1;
    if (few) return {Inputs::anything, Inputs::wide};
    if (uniform && op == Op::mul) return {Inputs::wide};
    return {Inputs::exact, Inputs::wide, Inputs::cancelling};
  } else {
    return {Inputs::anything};
  }
}

/// Ballots that form a legal partition of the active lanes, with any bits elsewhere; occasionally
/// with one wrong bit.
void fill_partition(Arguments& a, Random& random) {
  const auto subsets = 1 + random() % (random() % 3 == 0 ? 128u : 4u);
  std::array<std::uint64_t, most_lanes> label = {};
  for (auto& l : label) l = random() % subsets;
  for (std::size_t i = 0; i < a.ballot.size(); ++i) {
    std::uint32_t word[4];
    for (std::size_t k = 0; k < 4; ++k) {
      word[k] = random_bits<std::uint32_t>(random);
      for (std::size_t b = 0; b < 32; ++b) {
        const std::size_t j = 32 * k + b;
        if (!a.active.test(static_cast<int>(j))) continue;
        word[k] &= ~(1u << b);
        if (label[j] == label[i]) word[k] |= 1u << b;
      }
    }
    a.ballot[i] = Ballot(word[0], word[1], word[2], word[3]);
  }
  if (random() % 6 == 0) {
    std::uint32_t& victim = a.ballot[random() % static_cast<std::uint64_t>(a.size)].x;
    victim ^= 1u << random() % static_cast<std::uint64_t>(std::min(a.size, 32));
  }
}

}  // namespace

template <class T>
void check(std::span<const Move<T>> moves) {
  for (const Move<T>& move : moves) {
    Random random = make_random(static_cast<std::uint64_t>(move.call.width));
    std::string wrong;
    for_each_argument(move.call.width, random, [&](Arguments a) {
      for (const Numbers kind :
           {Numbers::lanes, Numbers::anything, Numbers::agreeing, Numbers::agreeing_in_quads}) {
        fill_numbers(a, kind, random);
        Block<T> values;
        for (T& value : values.lane) value = move_value<T>(random);
        if (move.call.uniform)
          std::fill(std::begin(values.lane), std::end(values.lane), values.lane[0]);
        const std::string found = mistakes(move.call, a, values, random, [&](const T* v, int lane) {
          return Moved<T>(move.from, a, v, lane);
        });
        if (!found.empty() && wrong.size() < 1000)
          wrong += describe(type_name<T>(), a) + "\n" + found;
      }
    });
    INFO(move.call.name << ", " << type_name<T>() << ", W = " << move.call.width
                        << ", components: " << move.call.components);
    CHECK(wrong == "");
  }
}

template <class T>
void check(std::span<const Combination<T>> combinations) {
  for (const Combination<T>& combination : combinations) {
    const auto& call = combination.call;
    const auto op = combination.op;
    const auto form = combination.form;
    Random random = make_random(static_cast<std::uint64_t>(call.width));
    std::string wrong;
    for_each_argument(call.width, random, [&](Arguments a) {
      for (const Inputs inputs : inputs_for<T>(op, a.active, call.uniform)) {
        fill_numbers(a, Numbers::anything, random);
        fill_partition(a, random);
        Block<T> values;
        int lane = 0;
        for (T& value : values.lane)
          value = combination_value<T>(op, inputs, lane++ % most_lanes, a.size, random);
        if (call.uniform) std::fill(std::begin(values.lane), std::end(values.lane), values.lane[0]);
        const auto rounding = inputs == Inputs::exact ? Rounding::none : Rounding::any_order;
        const bool undefined = undefined_for_all(form, a);
        const std::string found = mistakes(call, a, values, random, [&](const T* v, int i) {
          return undefined ? Allowed<T>::undefined() : combined(op, form, rounding, a, v, i);
        });
        if (!found.empty() && wrong.size() < 1000)
          wrong += describe(type_name<T>(), a) + "\n" + found;
      }
    });
    INFO(call.name << ", " << type_name<T>() << ", W = " << call.width
                   << ", components: " << call.components);
    CHECK(wrong == "");
  }
}

template void check(std::span<const Move<bool>>);
template void check(std::span<const Combination<bool>>);
template void check(std::span<const Move<std::int8_t>>);
template void check(std::span<const Combination<std::int8_t>>);
template void check(std::span<const Move<std::int16_t>>);
template void check(std::span<const Combination<std::int16_t>>);
template void check(std::span<const Move<std::int32_t>>);
template void check(std::span<const Combination<std::int32_t>>);
template void check(std::span<const Move<std::int64_t>>);
template void check(std::span<const Combination<std::int64_t>>);
template void check(std::span<const Move<std::uint8_t>>);
template void check(std::span<const Combination<std::uint8_t>>);
template void check(std::span<const Move<std::uint16_t>>);
template void check(std::span<const Combination<std::uint16_t>>);
template void check(std::span<const Move<std::uint32_t>>);
template void check(std::span<const Combination<std::uint32_t>>);
template void check(std::span<const Move<std::uint64_t>>);
template void check(std::span<const Combination<std::uint64_t>>);
template void check(std::span<const Move<float16_t>>);
template void check(std::span<const Combination<float16_t>>);
template void check(std::span<const Move<float>>);
template void check(std::span<const Combination<float>>);
template void check(std::span<const Move<double>>);
template void check(std::span<const Combination<double>>);

}  // namespace lockstep::test
