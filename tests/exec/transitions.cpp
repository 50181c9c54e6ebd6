#include <lockstep/exec/transitions.hpp>

#include <vector>

#include <catch2/catch.hpp>

#include "support/masks.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// Where a lane is: the masks of a State, spelled out lane by lane.
enum class Place { active, waiting, broken, continuing, gone };
using Places = std::vector<Place>;

Places random_places(int width, Random& random) {
  Places places(static_cast<std::size_t>(width));
  const auto kinds = 1 + random() % 5;  // sometimes all lanes are active
  for (Place& place : places) place = static_cast<Place>(random() % kinds);
  return places;
}

MaskBits lanes_at(const Places& places, Place where) {
  MaskBits mask;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const MaskBits lane = MaskBits::lane(static_cast<int>(i));
    if (places[i] == where) mask = {mask.low | lane.low, mask.high | lane.high};
  }
  return mask;
}

template <int W>
MaskBits bits_of_mask(Mask<W> mask) {
  return {mask.low64(), mask.high64()};
}

// Not a template: Catch's macros are slow to compile.
void check_equal(MaskBits a, MaskBits b) { CHECK(a == b); }

/// A state before a transition, or the expected one after it.
struct Case {
  Places places;
  MaskBits otherwise;
  MaskBits condition;  ///< the argument of the transition

  template <int W>
  exec::State<W> state() const {
    return {to_mask<W>(lanes_at(places, Place::active)),
            to_mask<W>(lanes_at(places, Place::broken)),
            to_mask<W>(lanes_at(places, Place::continuing)), to_mask<W>(otherwise)};
  }
};

/// The results of a transition.
struct After {
  MaskBits active, broken, continuing, otherwise;
  bool any = true;
};

template <int W>
After after(const exec::State<W>& state) {
  return {bits_of_mask(state.active), bits_of_mask(state.broken), bits_of_mask(state.continuing),
          bits_of_mask(state.otherwise)};
}

/// Compares transition(Size<W>, case) with the result of expect(places, case) for each lane's place.
template <class Transition, class Expect>
void check(Transition transition, Expect expect) {
  std::vector<Case> cases;
  std::vector<After> results;
  for_each_size([&]<int W>(Size<W> size) {
    Random random = make_random(W);
    for (int n = 0; n < 150; ++n) {
      const MaskBits conditions[] = {random_mask_bits(W, random), {}, MaskBits::first_n(W)};
      cases.push_back({random_places(W, random), random_mask_bits(W, random), conditions[n % 3]});
      results.push_back(transition(size, cases.back()));
    }
  });
  for (std::size_t k = 0; k < cases.size(); ++k) {
    INFO("W = " << cases[k].places.size() << ", case " << k << ", seed " << seed());
    Case want = cases[k];
    const bool any = expect(want);
    REQUIRE(results[k].active == lanes_at(want.places, Place::active));
    REQUIRE(results[k].broken == lanes_at(want.places, Place::broken));
    REQUIRE(results[k].continuing == lanes_at(want.places, Place::continuing));
    REQUIRE(results[k].otherwise == want.otherwise);
    REQUIRE(results[k].any == any);
  }
}

/// All lanes at `from` go to `to`.
auto move(Place from, Place to) {
  return [=](Case& c) {
    for (Place& place : c.places) {
      if (place == from) place = to;
    }
    return true;
  };
}

TEST_CASE("enter lets the active lanes go on where the condition holds") {
  check(
      []<int W>(Size<W>, const Case& c) {
        exec::State<W> state = c.state<W>();
        const exec::Entered<W> entered = exec::enter(state, to_mask<W>(c.condition));
        After result = after(state);
        result.any = entered.any;
        // Waiting lanes are returned to the caller, not kept in the state.
        if (entered.any) exec::leave(state, entered.waiting);
        check_equal(bits_of_mask(state.active), lanes_at(c.places, Place::active));
        if (!entered.any) check_equal(bits_of_mask(entered.waiting), bits_of_mask(state.active));
        return result;
      },
      [](Case& c) {
        Places entered = c.places;
        bool any = false;
        for (std::size_t i = 0; i < entered.size(); ++i) {
          if (entered[i] != Place::active) continue;
          if (c.condition.test(static_cast<int>(i)))
            any = true;
          else
            entered[i] = Place::waiting;
        }
        if (any) c.places = entered;
        return any;
      });
}

TEST_CASE("leave lets the waiting lanes rejoin") {
  check(
      []<int W>(Size<W>, const Case& c) {
        exec::State<W> state = c.state<W>();
        exec::leave(state, to_mask<W>(lanes_at(c.places, Place::waiting)));
        return after(state);
      },
      move(Place::waiting, Place::active));
}

TEST_CASE("next_test takes the lanes out of the loop where the condition fails") {
  check(
      []<int W>(Size<W>, const Case& c) {
        exec::State<W> state = c.state<W>();
        const bool any = exec::next_test(state, to_mask<W>(c.condition));
        After result = after(state);
        result.any = any;
        return result;
      },
      [](Case& c) {
        bool any = false;
        for (std::size_t i = 0; i < c.places.size(); ++i) {
          if (c.places[i] != Place::active) continue;
          if (c.condition.test(static_cast<int>(i)))
            any = true;
          else
            c.places[i] = Place::broken;
        }
        return any;
      });
}

/// Checks a transition whose only argument is the state.
template <class F>
void check_move(Place from, Place to, F transition) {
  check(
      [&]<int W>(Size<W>, const Case& c) {
        exec::State<W> state = c.state<W>();
        transition(state);
        return after(state);
      },
      move(from, to));
}

TEST_CASE("next_trip lets the lanes rejoin that continued") {
  check_move(Place::continuing, Place::active, [](auto& state) { exec::next_trip(state); });
}

TEST_CASE("leave_loop, leave_trip and retire take the active lanes away") {
  check_move(Place::active, Place::broken, [](auto& state) { exec::leave_loop(state); });
  check_move(Place::active, Place::continuing, [](auto& state) { exec::leave_trip(state); });
  check_move(Place::active, Place::gone, [](auto& state) { exec::retire(state); });
}

TEST_CASE("leave_loop_around takes lanes out of the loop around two switches") {
  exec::State<8> state;
  state.active = Mask<8>::first_n(8);
  const auto is_active = [&](unsigned bits) {
    return state.active == to_mask<8>(MaskBits{bits, 0});
  };
  const auto loop = exec::enter_loop(state);
  auto outer = exec::enter_switch(state);
  exec::enter_case(state, outer, to_mask<8>(MaskBits{0x3fu, 0}));
  auto inner = exec::enter_switch(state);
  exec::enter_case(state, inner, to_mask<8>(MaskBits{0x03u, 0}));
  exec::leave_loop_around(state, outer);
  CHECK(is_active(0));
  exec::enter_case(state, inner, to_mask<8>(MaskBits{0x0cu, 0}));
  exec::leave_loop(state);  // the inner switch
  exec::leave_switch(state, inner);
  CHECK(is_active(0x3c));
  exec::leave_switch(state, outer);
  CHECK(is_active(0xfc));
  exec::next_trip(state);
  CHECK(is_active(0xfc));
  exec::exit_loop(state, loop);
  CHECK(is_active(0xff));
}

}  // namespace
