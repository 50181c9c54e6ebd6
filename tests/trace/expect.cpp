#include <lockstep/trace/expect.hpp>

#include <catch2/catch.hpp>

#include <lockstep/lockstep.hpp>
#include <lockstep/trace/recorder.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;
using trace::difference;
using trace::expect;
using trace::ExpectedTrace;
using Reason = Event::Reason;

// ---- The events of kernels ----

/// Runs K on one subgroup of 8.
template <template <class> class K>
std::vector<Event> record(Rule rule = Rule::maximal, Chooser chooser = Chooser::rejoin_none()) {
  trace::Recorder recorder({0, 0, 0}, 0);
  const Convergence convergence{.rule = rule, .chooser = &chooser, .observer = &recorder};
  Device{.subgroup_size = 8}.dispatch<K, 8>(convergence, {1});
  return recorder.events();
}

template <class S>
struct Both : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  static constexpr int line_of_if = __LINE__ + 5;

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    auto x = var(0u);
    If (lane % 2u == 1u) {
      x = subgroupAdd(lane);
    }
    Else { x = subgroupMax(lane); }
    x = subgroupMin(x);
  }
};

TEST_CASE("expected: both sides of a selection, one after the other") {
  constexpr int line = Both<TangledMachine<8>>::line_of_if;
  CHECK(difference(expect()
                       .start(0xff)
                       .enter(0b10101010)
                       .at(line)
                       .others(0b01010101)
                       .built_in("subgroupAdd", 0b10101010)
                       .at(line + 1)
                       .flip(0b01010101)
                       .at(line)
                       .built_in("subgroupMax", 0b01010101)
                       .leave(0xff)
                       .arrived({0b10101010, 0b01010101})
                       .because(Reason::promised)
                       .built_in("subgroupMin", 0xff)
                       .end(0xff),
                   record<Both>()) == "");
}

TEST_CASE("expected: under a weaker rule only what was whole rejoins") {
  // The subgroup entered as a whole, and no lane left: promised.
  CHECK(difference(expect()
                       .ignoring(Event::Kind::built_in)
                       .start(0xff)
                       .enter(0xaa)
                       .flip(0x55)
                       .leave(0xff)
                       .because(Reason::promised)
                       .end(0xff),
                   record<Both>(Rule::subgroup_uniform)) == "");
}

template <class S>
struct Loops : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    auto x = var(0u);
    auto j = var(0u);
    While (j < lane / 4u + 1u) {  // lanes 4 to 7 twice
      For (auto i = var(0u), i < 2u, i += 1u) {
        If (lane == i) {
          Continue;
        }
        If (lane >= 6u) {
          Break;
        }
        x = subgroupAdd(lane);
      }
      j += 1u;
    }
  }
};

TEST_CASE("expected: nested loops with Continue and Break") {
  ExpectedTrace first_trip = expect();
  first_trip.start(0xff).loop(0xff).trip(0xff);
  // Lanes 0 and 1 continue early, one per iteration; 6 and 7 leave in the first.
  first_trip.loop(0xff).trip(0xff);
  first_trip.enter(0x01).jump_continue(0x01).leave(0xfe);
  first_trip.enter(0xc0).jump_break(0xc0).leave(0x3e);
  first_trip.built_in("subgroupAdd", 0x3e).next_trip(0x3f).arrived({0x3e, 0x01});
  first_trip.trip(0x3f);
  first_trip.enter(0x02).jump_continue(0x02).leave(0x3d);
  first_trip.enter(0).leave(0x3d);
  first_trip.built_in("subgroupAdd", 0x3d).next_trip(0x3f).arrived({0x3d, 0x02});
  first_trip.trip(0).others(0x3f);
  first_trip.exit(0xff).arrived({0xc0, 0x3f}).because(Reason::promised);
  first_trip.next_trip(0xff);
  // Lanes 4 to 7 again, 6 and 7 for one iteration of the inner loop.
  ExpectedTrace& all = first_trip;
  all.trip(0xf0).others(0x0f);
  all.loop(0xf0).trip(0xf0);
  all.enter(0).leave(0xf0);
  all.enter(0xc0).jump_break(0xc0).leave(0x30);
  all.built_in("subgroupAdd", 0x30).next_trip(0x30).trip(0x30);
  all.enter(0).leave(0x30).enter(0).leave(0x30);
  all.built_in("subgroupAdd", 0x30).next_trip(0x30).trip(0).others(0x30);
  all.exit(0xf0).arrived({0xc0, 0x30});
  all.next_trip(0xf0).trip(0).others(0xf0);
  all.exit(0xff).arrived({0x0f, 0xf0}).end(0xff);
  CHECK(difference(all, record<Loops>()) == "");
}

template <class S>
struct FallsThrough : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    auto x = var(0u);
    Switch (lane % 4u) {
      Case(0) { x = subgroupAdd(lane); }
      Case(1) {
        x = subgroupMax(lane);
        Break;
      }
      Default { x = subgroupMin(lane); }
    }
  }
};

TEST_CASE("expected: a switch with a case that falls through") {
  CHECK(difference(expect()
                       .start(0xff)
                       .enter(0)
                       .others(0xff)
                       .enter(0x11)
                       .others(0xee)
                       .built_in("subgroupAdd", 0x11)
                       .enter(0x33)
                       .others(0xcc)
                       .built_in("subgroupMax", 0x33)
                       .jump_break(0x33)
                       .enter(0xcc)
                       .others(0)
                       .built_in("subgroupMin", 0xcc)
                       .leave(0xff)
                       .arrived({0x33, 0xcc})
                       .end(0xff),
                   record<FallsThrough>(Rule::maximal, Chooser::rejoin_all())) == "");
}

TEST_CASE("expected: those that fall through may stay apart from those that come in") {
  const std::vector<Event> events = record<FallsThrough>(Rule::core);
  ExpectedTrace expected = expect();
  expected.ignoring(Event::Kind::end).start(0xff).enter(0);
  expected.enter(0x11).built_in("subgroupAdd", 0x11);
  expected.enter({0x22, 0x11});
  expected.built_in("subgroupMax", 0x22).built_in("subgroupMax", 0x11).jump_break(0x33);
  // Of lanes 2, 3, 6 and 7 each value of the switch is a tangle, too.
  expected.enter({0x44, 0x88}).built_in("subgroupMin", 0x44).built_in("subgroupMin", 0x88);
  expected.leave(0xff).arrived({0x22, 0x11, 0x44, 0x88}).because(Reason::promised);
  CHECK(difference(expected, events) == "");
}

template <class S>
struct ReturnsEarly : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    auto x = var(0u);
    upper(lane);
    x = subgroupMax(lane);
    If (lane == 7u) {
      Return;
    }
    x = subgroupMin(lane);
  }
  void upper(const Uint& lane) {
    Function;
    auto x = var(0u);
    If (lane < 4u) {
      Return;
    }
    x = subgroupAdd(lane);
  }
};

TEST_CASE("expected: lanes that return from a function come back, from the kernel they do not") {
  CHECK(difference(expect()
                       .start(0xff)
                       .call(0xff)
                       .enter(0x0f)
                       .jump_return(0x0f)
                       .leave(0xf0)
                       .built_in("subgroupAdd", 0xf0)
                       .leave(0xff)
                       .arrived({0x0f, 0xf0})
                       .built_in("subgroupMax", 0xff)
                       .enter(0x80)
                       .jump_return(0x80)
                       .leave(0x7f)
                       .built_in("subgroupMin", 0x7f)
                       .end(0x7f),
                   record<ReturnsEarly>()) == "");
}

template <class S>
struct ShortCircuit : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    auto x = var(0u);
    If (AndAlso(lane > 1u, subgroupExclusiveAdd(lane) > 8u)) {
      x = subgroupMax(lane);
    }
  }
};

TEST_CASE("expected: the right side of && runs for those that want it") {
  // Lanes 2 to 7 see 0, 2, 5, 9, 14, 20.
  CHECK(difference(expect()
                       .start(0xff)
                       .enter(0xfc)
                       .built_in("subgroupExclusiveAdd", 0xfc)
                       .leave(0xff)
                       .enter(0xe0)
                       .built_in("subgroupMax", 0xe0)
                       .leave(0xff)
                       .end(0xff),
                   record<ShortCircuit>()) == "");
}

template <class S>
struct Waits : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{16};
  Shared<uint, 16> values{this};

  Barriers main() {
    before();
    co_await barrier();
    after();
  }
  void before() {
    If (gl_SubgroupInvocationID < 4u) {
      values[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
    }
  }
  void after() {
    auto x = var(0u);
    x = values[15u - gl_LocalInvocationIndex];
    x = atomicAdd(values[0u], 1u);
  }
};

TEST_CASE("expected: a barrier, and memory on both sides of it") {
  CHECK(difference(expect()
                       .start(0xff)
                       .enter(0x0f)
                       .write(0x0f)
                       .leave(0xff)
                       .barrier(0xff)
                       .read(0xff)
                       .atomic("atomicAdd", 0xff)
                       .end(0xff),
                   record<Waits>()) == "");
}

// ---- The text of differences ----

Event event_of(Event::Kind kind, std::uint64_t lanes, int line) {
  Event event;
  event.kind = kind;
  event.where = {"kernel.hpp", line};
  event.tangles = {{LaneSet{lanes, 0}}};
  return event;
}

std::vector<Event> some_events() {
  std::vector<Event> events{
      event_of(Event::Kind::start, 0xf, 0), event_of(Event::Kind::enter, 0b0110, 4),
      event_of(Event::Kind::built_in, 0b0110, 5), event_of(Event::Kind::leave, 0xf, 4)};
  events[1].others = LaneSet{0b1001, 0};
  events[2].name = "subgroupAdd";
  events[3].arrivals = {LaneSet{0b0110, 0}, LaneSet{0b1001, 0}};
  events[3].reason = Reason::chosen;
  return events;
}

TEST_CASE("every aspect that is given is compared") {
  const auto base = [] { return expect().start(0xf).enter(0b0110); };
  const auto differs = [](ExpectedTrace expected) {
    return !difference(expected, some_events()).empty();
  };
  CHECK_FALSE(differs(base().built_in("subgroupAdd", 0b0110).leave(0xf)));
  CHECK_FALSE(
      differs(base().at(4).others(0b1001).built_in("subgroupAdd", 0b0110).at(5).leave(0xf)));
  CHECK_FALSE(differs(base()
                          .built_in("subgroupAdd", 0b0110)
                          .leave(0xf)
                          .arrived({0b0110, 0b1001})
                          .because(Reason::chosen)));
  CHECK(differs(base().at(5).built_in("subgroupAdd", 0b0110).leave(0xf)));
  CHECK(differs(base().others(0b1000).built_in("subgroupAdd", 0b0110).leave(0xf)));
  CHECK(differs(base().built_in("subgroupMax", 0b0110).leave(0xf)));
  CHECK(differs(base().built_in("subgroupAdd", 0b0010).leave(0xf)));
  CHECK(differs(base().built_in("subgroupAdd", {0b0010, 0b0100}).leave(0xf)));
  CHECK(differs(base().flip(0b0110).leave(0xf)));
  CHECK(differs(base().built_in("subgroupAdd", 0b0110).leave(0xf).arrived({0b1001, 0b0110})));
  CHECK(differs(base().built_in("subgroupAdd", 0b0110).leave(0xf).because(Reason::promised)));
  CHECK(differs(base().built_in("subgroupAdd", 0b0110)));
  CHECK(differs(base().built_in("subgroupAdd", 0b0110).leave(0xf).end(0xf)));
  CHECK(differs(base().leave(0xf)));
  CHECK_FALSE(differs(base().ignoring(Event::Kind::built_in).leave(0xf)));
}

TEST_CASE("the difference aligns what is missing and what is too much") {
  CHECK(difference(
            expect().start(0xf).enter(0b0110).built_in("subgroupMax", 0b0110).leave(0xf).end(0xf),
            some_events()) ==
        "the trace differs (- expected, + got):\n"
        "  start {0-3}\n"
        "  enter {1-2}\n"
        "- built-in subgroupMax {1-2}\n"
        "+ built-in subgroupAdd {1-2}   kernel.hpp:5\n"
        "  leave {0-3}\n"
        "- end {0-3}\n");
}

TEST_CASE("the difference shows the aspects that were asked for") {
  CHECK(difference(expect()
                       .start(0xf)
                       .enter(0b0110)
                       .built_in("subgroupAdd", 0b0110)
                       .leave({0b0110, 0b1001})
                       .at(4)
                       .arrived(0xf)
                       .because(Reason::promised),
                   some_events()) ==
        "the trace differs (- expected, + got):\n"
        "  start {0-3}\n"
        "  enter {1-2}\n"
        "  built-in subgroupAdd {1-2}\n"
        "- leave {1-2} {0,3}, line 4, arrived {0-3}, promised\n"
        "+ leave {0-3}, line 4, arrived {1-2} {0,3}, chosen   kernel.hpp:4\n");
}

TEST_CASE("the difference leaves out long equal parts") {
  ExpectedTrace expected = expect();
  std::vector<Event> events;
  for (int k = 0; k < 30; ++k) {
    expected.read(0xf);
    events.push_back(event_of(Event::Kind::read, 0xf, k));
  }
  expected.write(0xf);
  events.push_back(event_of(Event::Kind::barrier, 0xf, 30));
  for (int k = 0; k < 30; ++k) {
    expected.read(0xf);
    events.push_back(event_of(Event::Kind::read, 0xf, k));
  }
  const std::string read = "  read {0-3}\n";
  const std::string four = read + read + read + read;
  CHECK(difference(expected, events) ==
        "the trace differs (- expected, + got):\n  ... 26 as expected\n" + four +
            "- write {0-3}\n+ barrier {0-3}   kernel.hpp:30\n" + four + "  ... 26 as expected\n");
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>
