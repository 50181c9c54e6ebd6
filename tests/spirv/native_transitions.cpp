#if defined(__x86_64__) && __has_include(<xbyak/xbyak.h>)

#include "shader/native/transitions.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <optional>

#include "shader/run/ops/chunk.hpp"
#include "shader/run/ops/functions.hpp"
#include "shader/run/program.hpp"
#include "support/settings.hpp"

/// \file
/// Each transition in machine code against the engine's function, on random masks.

using namespace lockstep;
using namespace lockstep::spirv;

namespace {

constexpr std::uint16_t construct = 1;

/// The code of one transition, as a function: whether it did not jump to the engine's.
class Code64 {
 public:
  explicit Code64(const std::function<void(Transitions&, const Xbyak::Label&)>& emit) {
    using namespace Xbyak::util;
    Xbyak::Label other;
    Transitions transitions(as_);
    as_.push(rbx);
    as_.mov(rbx, rdi);
    as_.mov(r8, rsi);
    emit(transitions, other);
    as_.mov(eax, 1);
    as_.pop(rbx);
    as_.ret();
    as_.L(other);
    as_.xor_(eax, eax);
    as_.pop(rbx);
    as_.ret();
    as_.ready();
  }
  bool run(Context& c, std::uint64_t lanes = 0) const {
    return as_.getCode<int (*)(Context*, std::uint64_t)>()(&c, lanes) != 0;
  }

 private:
  Xbyak::CodeGenerator as_;
};

/// A subgroup inside a selection or loop; a bool is its only register.
struct Subgroup {
  std::array<FastFrame, 2> frames{};
  alignas(16) std::array<std::byte, 16> regs{};
  std::uint64_t divergences = 0;  ///< that the engine's functions count
  Context c;

  explicit Subgroup(int size) {
    c.size = size;
    use_own_parts();
  }
  Subgroup(const Subgroup& other) : frames(other.frames), regs(other.regs), c(other.c) {
    use_own_parts();
  }
  Subgroup& operator=(const Subgroup&) = delete;

  friend bool operator==(const Subgroup& a, const Subgroup& b) {
    const auto same = [](Mask<128> x, Mask<128> y) { return x.bits() == y.bits(); };
    const auto& s = a.c.state;
    const auto& t = b.c.state;
    const auto& entered = a.frames[construct].entered;
    return same(s.active, t.active) && same(s.broken, t.broken) &&
           same(s.continuing, t.continuing) && same(s.otherwise, t.otherwise) &&
           same(s.returned, t.returned) && entered.any == b.frames[construct].entered.any &&
           same(entered.waiting, b.frames[construct].entered.waiting) && a.c.steps == b.c.steps &&
           a.c.stop == b.c.stop && a.c.loop_start == b.c.loop_start &&
           a.c.slice_end == b.c.slice_end &&
           a.frames[construct].outer_start == b.frames[construct].outer_start &&
           a.frames[construct].steps_before == b.frames[construct].steps_before;
  }

 private:
  void use_own_parts() {
    c.divergences = &divergences;
    c.frames = frames.data();
    c.regs = regs.data();
  }
};

class RandomMasks {
 public:
  explicit RandomMasks(test::Random& random) : random_(random) {}
  /// Of the lanes below 64 of a subgroup; often none or all of them.
  std::uint64_t some(std::uint64_t among) {
    switch (random_() % 4) {
      case 0:
        return 0;
      case 1:
        return among;
      default:
        return random_() & among;
    }
  }
  Subgroup subgroup(int size) {
    Subgroup s(size);
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    std::uint64_t left = all;
    const auto take = [&] {
      const std::uint64_t lanes = some(left);
      left &= ~lanes;
      return Mask<128>::from_bits(lanes);
    };
    s.c.state.active = take();
    s.c.state.broken = take();
    s.c.state.continuing = take();
    s.c.state.returned = take();
    s.c.state.otherwise = Mask<128>::from_bits(some(all));
    s.frames[construct].entered = {random_() % 2 == 0, take()};
    s.c.steps = random_() % 5;
    s.c.slice_end = 1 + random_() % 5;
    s.c.max_trips = 100;
    s.c.turn_end = 50;
    return s;
  }

 private:
  test::Random& random_;
};

std::uint64_t low(Mask<128> mask) { return static_cast<std::uint64_t>(mask.bits()); }

/// Runs the code and the engine's function on many subgroups. prepare(subgroup) gives the lanes that the code gets, or
/// nothing to leave the subgroup out; applies(subgroup) is whether the code covers it.
void check(const Code64& code, Run run,
           const std::function<std::optional<std::uint64_t>(Subgroup&, RandomMasks&)>& prepare,
           const std::function<bool(const Subgroup&)>& applies) {
  test::Random random = test::make_random();
  RandomMasks masks(random);
  Inst insts[3];
  insts[0].number = construct;
  insts[0].target = &insts[2];
  REQUIRE(run != nullptr);
  int covered = 0, left = 0;
  for (int k = 0; k < 2000; ++k) {
    Subgroup native = masks.subgroup(k % 3 == 0 ? 64 : k % 3 == 1 ? 32 : 7);
    const std::optional<std::uint64_t> lanes = prepare(native, masks);
    if (!lanes) continue;
    Subgroup engine = native;
    const Subgroup before = native;
    const bool done = code.run(native.c, *lanes);
    REQUIRE(done == applies(before));
    ++(done ? covered : left);
    if (done) run(insts, engine.c);
    REQUIRE(native == engine);
  }
  CHECK(covered > 100);
  INFO(left << " were left to the engine");
}
void check(const Code64& code, Code function,
           const std::function<std::optional<std::uint64_t>(Subgroup&, RandomMasks&)>& prepare,
           const std::function<bool(const Subgroup&)>& applies) {
  check(code, functions().find_flow(function, false), prepare, applies);
}

const auto always = [](const Subgroup&) { return true; };
const auto no_lanes = [](Subgroup&, RandomMasks&) { return std::optional<std::uint64_t>(0); };

void set_condition(Subgroup& s, std::uint64_t lanes) {
  const std::uint64_t halves[2] = {lanes, 0};
  std::memcpy(s.regs.data(), halves, sizeof halves);
}

}  // namespace

TEST_CASE("machine code enters a selection that all active lanes enter") {
  check(
      Code64([](Transitions& t, const Xbyak::Label&) { t.enter(construct); }), Code::if_begin,
      [](Subgroup& s, RandomMasks& masks) -> std::optional<std::uint64_t> {
        if (!s.c.state.active.any_lane()) return std::nullopt;
        set_condition(s, low(s.c.state.active) | masks.some(~std::uint64_t{0}));
        return 0;
      },
      always);
}

TEST_CASE("machine code enters a selection that some active lanes enter") {
  check(
      Code64([](Transitions& t, const Xbyak::Label& other) {
        t.enter_without(Xbyak::util::r8, construct, other);
      }),
      Code::if_begin,
      [](Subgroup& s, RandomMasks& masks) -> std::optional<std::uint64_t> {
        const std::uint64_t waiting = masks.some(low(s.c.state.active));
        if (waiting == 0) return std::nullopt;
        set_condition(s, ~waiting);
        return waiting;
      },
      [](const Subgroup& s) { return (s.c.state.active & get_mask(s.regs.data())).any_lane(); });
}

TEST_CASE("machine code passes a selection that no active lane enters") {
  check(
      Code64([](Transitions& t, const Xbyak::Label&) { t.stay_outside(construct); }),
      Code::if_begin,
      [](Subgroup& s, RandomMasks& masks) -> std::optional<std::uint64_t> {
        set_condition(s, masks.some(~low(s.c.state.active)));
        return 0;
      },
      always);
}

TEST_CASE("machine code ends a selection that all active lanes entered") {
  check(Code64(
            [](Transitions& t, const Xbyak::Label& other) { t.close_selection(construct, other); }),
        Code::if_end, no_lanes, [](const Subgroup& s) {
          return !s.frames[construct].entered.waiting.any_lane() && s.c.state.active.any_lane();
        });
}

TEST_CASE("machine code ends a selection that some lanes entered") {
  check(
      Code64([](Transitions& t, const Xbyak::Label& other) { t.rejoin(construct, other); }),
      Code::if_end,
      [](Subgroup& s, RandomMasks&) -> std::optional<std::uint64_t> {
        s.frames[construct].entered.any = true;
        return 0;
      },
      [](const Subgroup& s) {
        return s.frames[construct].entered.waiting.any_lane() || s.c.state.active.any_lane();
      });
}

TEST_CASE("machine code lets the lowest active lane enter a selection") {
  check(
      Code64([](Transitions& t, const Xbyak::Label& other) { t.enter_elected(construct, other); }),
      functions().find_enter_elected(128), no_lanes,
      [](const Subgroup& s) { return s.c.state.active.any_lane(); });
}

TEST_CASE("machine code counts the iterations of a loop that no lane leaves alone") {
  const auto counts = [](Subgroup& s, RandomMasks& masks) -> std::optional<std::uint64_t> {
    s.c.loop_start = masks.some(7);
    s.c.max_trips = masks.some(7);
    s.frames[construct].outer_start = masks.some(15);
    s.frames[construct].steps_before = masks.some(s.c.steps);
    return 0;
  };
  check(Code64([](Transitions& t, const Xbyak::Label&) { t.count_begin(construct); }),
        functions().find_begin_of_all(), counts, always);
  check(Code64([](Transitions& t, const Xbyak::Label&) { t.count_end(construct); }),
        functions().find_end_of_all(), counts, always);
}

TEST_CASE("machine code lets lanes leave a loop") {
  check(
      Code64([](Transitions& t, const Xbyak::Label&) { t.leave_loop(Xbyak::util::r8); }),
      Code::loop_test,
      [](Subgroup& s, RandomMasks& masks) -> std::optional<std::uint64_t> {
        const std::uint64_t leaving = masks.some(low(s.c.state.active));
        set_condition(s, ~leaving);
        return leaving;
      },
      always);
}

TEST_CASE("machine code ends an iteration that no lane has left early") {
  check(Code64([](Transitions& t, const Xbyak::Label& other) { t.next_trip(other); }),
        Code::trip_end, no_lanes,
        [](const Subgroup& s) { return !s.c.state.continuing.any_lane(); });
  // Lanes of the other half count.
  Subgroup wide(128);
  wide.c.state.continuing = Mask<128>::lane(100);
  CHECK_FALSE(
      Code64([](Transitions& t, const Xbyak::Label& other) { t.next_trip(other); }).run(wide.c));
}

TEST_CASE("machine code counts an iteration within the slice") {
  check(Code64([](Transitions& t, const Xbyak::Label& other) { t.loop_back(other); }),
        Code::loop_back, no_lanes, [](const Subgroup& s) { return s.c.steps + 1 < s.c.slice_end; });
}

TEST_CASE("machine code ends a subgroup") {
  check(
      Code64([](Transitions& t, const Xbyak::Label&) { t.end(); }), Code::end,
      [](Subgroup& s, RandomMasks&) -> std::optional<std::uint64_t> {
        s.c.stop = Context::Stop::slice;
        return 0;
      },
      always);
}

TEST_CASE("machine code computes the mask of active lanes") {
  const Code64 any([](Transitions& t, const Xbyak::Label& other) { t.require_active(other); });
  for (const int size : {1, 7, 63, 64, 65, 127, 128}) {
    const Code64 all(
        [&](Transitions& t, const Xbyak::Label& other) { t.require_all_active(size, other); });
    CAPTURE(size);
    Subgroup s(size);
    CHECK_FALSE(any.run(s.c));
    CHECK_FALSE(all.run(s.c));
    s.c.state.active = Mask<128>::first_n(size);
    CHECK(any.run(s.c));
    CHECK(all.run(s.c));
    s.c.state.active = s.c.state.active.without(Mask<128>::lane(size - 1));
    CHECK(any.run(s.c) == (size > 1));
    CHECK_FALSE(all.run(s.c));
  }
}

#endif
