#include <lockstep/exec/chosen_order.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/choice_tree.hpp>
#include <lockstep/lanes/float16.hpp>

namespace {

using namespace lockstep;
using Lanes = std::vector<int>;

constexpr SourceLocation here{"here.comp", 7};

Chooser answering(std::vector<std::uint32_t> answers, Choice choice) {
  return Chooser::replay(std::move(answers)).only(std::array{choice});
}

TEST_CASE("lanes of an atomic that update the same number come in the chosen order") {
  std::array<AtomicTarget, 128> targets{};
  Chooser chooser = answering({3, 0, 1}, Choice::atomic_order);
  CHECK(atomic_order(chooser, here, LaneSet::first_n(4), targets) == Lanes{3, 0, 2, 1});
  REQUIRE(chooser.asked().size() == 3);
  CHECK(chooser.asked()[0].options == 4);
  CHECK(chooser.asked()[2].options == 2);
  CHECK(chooser.asked()[1].where.line == 7);

  // Other objects and other bytes are other numbers: nothing to choose between them.
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = {k / 64, k % 64 / 3};
  Chooser last = answering({2, 1, 0}, Choice::atomic_order);
  const LaneSet lanes{0b111011, 0b1};  // 0, 1, 3, 4, 5 and 64
  CHECK(atomic_order(last, here, LaneSet{0b111001, 0b1}, targets) == Lanes{0, 5, 4, 3, 64});
  Chooser both = answering({1, 0, 0}, Choice::atomic_order);
  CHECK(atomic_order(both, here, lanes, targets) == Lanes{1, 0, 3, 4, 5, 64});
  Chooser none = answering({}, Choice::atomic_order);
  CHECK(atomic_order(none, here, LaneSet{}, targets).empty());
}

TEST_CASE("every order of an atomic's lanes can be chosen") {
  const std::array<AtomicTarget, 128> targets{};
  std::set<Lanes> orders;
  ChoiceTree tree;
  int runs = 0;
  while (const auto answers = tree.next()) {
    Chooser chooser = Chooser::start_with(*answers).only(std::array{Choice::atomic_order});
    const Lanes order = atomic_order(chooser, here, LaneSet::first_n(4), targets);
    CHECK(std::ranges::is_permutation(order, Lanes{0, 1, 2, 3}));
    orders.insert(order);
    tree.ran(*answers, chooser.made(), chooser.asked());
    ++runs;
  }
  CHECK(runs == 24);
  CHECK(orders.size() == 24);
}

// 1 is lost beside 100000000, so each order of these gives a result of its own.
constexpr float big = 1e8f;

/// The results by lane; -1 where there is none.
template <class T>
std::vector<T> reduced(std::vector<std::uint32_t> answers, LaneSet active, FloatReduction reduction,
                       const std::vector<T>& values) {
  reduction.type = sizeof(T) == 2   ? FloatReduction::Type::f16
                   : sizeof(T) == 4 ? FloatReduction::Type::f32
                                    : FloatReduction::Type::f64;
  std::vector<std::uint64_t> bits(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(&bits[k], &values[k], sizeof(T));
  Chooser chooser = answering(std::move(answers), Choice::reduction_order);
  std::vector<T> results(values.size(), T(-1));
  for (const LaneResult& lane : reduce_in_chosen_order(chooser, here, active, reduction, bits))
    std::memcpy(&results[static_cast<std::size_t>(lane.lane)], &lane.bits, sizeof(T));
  return results;
}
FloatReduction of_all(FloatReduction::Takes takes = FloatReduction::Takes::all) {
  FloatReduction reduction;
  reduction.takes = takes;
  reduction.group.fill(LaneSet::first_n(128));
  return reduction;
}

TEST_CASE("a sum of floats is combined in the orders of devices, or in any") {
  using Floats = std::vector<float>;
  const Floats values = {1, big, -big, 1};
  const LaneSet all = LaneSet::first_n(4);
  const auto each = [](float result) { return Floats(4, result); };
  CHECK(reduced({0}, all, of_all(), values) == each(-1));  // the machine's own
  CHECK(reduced({1}, all, of_all(), values) == each(((1 + big) - big) + 1));
  CHECK(reduced({2}, all, of_all(), values) == each(((1 - big) + big) + 1));
  CHECK(reduced({3}, all, of_all(), values) == each((1 + big) + (-big + 1)));
  CHECK(reduced({4}, all, of_all(), values) == each((1 + -big) + (big + 1)));
  CHECK(reduced({6, 3, 0, 0}, all, of_all(), values) == each((1 + (big + -big)) + 1));
  // Inactive lanes contribute nothing.
  CHECK(reduced({2}, LaneSet{0b1110}, of_all(), values) ==
        Floats{-1, (1 - big) + big, (1 - big) + big, (1 - big) + big});
  // Fewer than three values have one result.
  CHECK(reduced({}, LaneSet{0b0110}, of_all(), values) == each(-1));
}

TEST_CASE("scans, clusters, products and all types of floats are combined in the chosen order") {
  const std::vector<double> values = {3, 1e16, -1e16, 5, 7, 1e16, 2, -1e16};
  const LaneSet all = LaneSet::first_n(8);
  const auto downwards = [&](int first, int last) {  // from the highest lane down
    double sum = values[static_cast<std::size_t>(last)];
    for (int k = last - 1; k >= first; --k) sum += values[static_cast<std::size_t>(k)];
    return sum;
  };
  const auto inclusive = reduced({2}, all, of_all(FloatReduction::Takes::up_to_own), values);
  const auto exclusive = reduced({2}, all, of_all(FloatReduction::Takes::below_own), values);
  FloatReduction clusters;
  for (int i = 0; i < 128; ++i)
    clusters.group[static_cast<std::size_t>(i)] =
        LaneSet::first_n(i / 4 * 4 + 4).without(LaneSet::first_n(i / 4 * 4));
  const auto clustered = reduced({2}, all, clusters, values);
  for (int i = 0; i < 8; ++i) {
    const auto k = static_cast<std::size_t>(i);
    CHECK(inclusive[k] == (i < 1 ? -1 : downwards(0, i)));
    CHECK(exclusive[k] == (i < 2 ? -1 : downwards(0, i - 1)));
    CHECK(clustered[k] == downwards(i / 4 * 4, i / 4 * 4 + 3));
  }
  FloatReduction product = of_all();
  product.multiplies = true;
  const std::vector<float> factors = {3e38f, 1e-30f, 1e30f, 2};
  CHECK(reduced({1}, LaneSet::first_n(4), product, factors)[0] == ((3e38f * 1e-30f) * 1e30f) * 2);
  CHECK(reduced({2}, LaneSet::first_n(4), product, factors)[0] == ((2 * 1e30f) * 1e-30f) * 3e38f);
  const std::vector<lockstep::float16_t> halves = {
      lockstep::float16_t(1), lockstep::float16_t(2048), lockstep::float16_t(1)};
  CHECK(static_cast<float>(reduced({1}, LaneSet::first_n(3), of_all(), halves)[0]) == 2048);
  CHECK(static_cast<float>(reduced({6, 1, 0}, LaneSet::first_n(3), of_all(), halves)[0]) == 2050);
}

}  // namespace
