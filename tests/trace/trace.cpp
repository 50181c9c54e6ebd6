#include <lockstep/trace/trace.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include <lockstep/exec/tell.hpp>

namespace {

using namespace lockstep;
using trace::Request;
using trace::Trace;

constexpr SourceLocation here{"no such file", 7, 0};

/// Subgroup `number` of workgroup `x`: the lower half of four lanes takes a branch, and lane 0 one inside it.
void run_subgroup(const Convergence& convergence, std::uint32_t x, std::uint32_t number) {
  ReconvergenceStack stack(LaneSet::first_n(4), convergence);
  stack.workgroup = {x, 0, 0};
  stack.subgroup = number;
  tell(stack, Event::Kind::start, here);
  enter(stack, {0b0011, 0}, here);
  enter(stack, {0b0001, 0}, here);
  leave(stack, here);
  leave(stack, here);
  tell(stack, Event::Kind::end, here);
}

/// Two workgroups of three subgroups.
void run_all(const Convergence& convergence) {
  for (const std::uint32_t x : {0u, 1u})
    for (const std::uint32_t s : {0u, 1u, 2u}) run_subgroup(convergence, x, s);
}

Trace trace_of(const Request& request) { return trace::record("some kernel", 4, request, run_all); }

TEST_CASE("a trace has the events of the subgroup that was asked for") {
  const Trace traced = trace_of({.workgroup = {1}, .subgroup = 2});
  REQUIRE(traced.subgroups().size() == 1);
  CHECK(traced.events().size() == 6);
  for (const Event& event : traced.events()) {
    CHECK(event.workgroup[0] == 1);
    CHECK(event.subgroup == 2);
  }
  CHECK(traced.timeline().existing == LaneSet::first_n(4));
  CHECK(traced.title(traced.subgroups()[0]) ==
        "some kernel, subgroup 2 of workgroup 1: 4 lanes, maximal");
}

TEST_CASE("a trace of a workgroup or of everything has its subgroups in order") {
  const Trace workgroup = trace_of({.which = Request::Which::workgroup, .workgroup = {1}});
  REQUIRE(workgroup.subgroups().size() == 3);
  for (std::uint32_t s = 0; s < 3; ++s) {
    CHECK(workgroup.subgroups()[s].workgroup[0] == 1);
    CHECK(workgroup.subgroups()[s].subgroup == s);
    CHECK(workgroup.subgroups()[s].events.size() == 6);
  }
  CHECK(trace_of({.which = Request::Which::all}).subgroups().size() == 6);
}

TEST_CASE("a subgroup that did not run is an error that says how many did") {
  CHECK_THROWS_WITH(trace_of({.workgroup = {1}, .subgroup = 3}),
                    "there is no subgroup 3 in a workgroup (1, 0, 0): some kernel runs 2 x 1 x 1 "
                    "workgroups of 3 subgroups here");
}

TEST_CASE("a run that ends with an error has a trace up to there") {
  const auto fails = [](const Convergence& convergence) {
    run_subgroup(convergence, 0, 0);
    throw Error("lane 3 is stuck");
  };
  const Trace traced = trace::record("some kernel", 4, {}, fails);
  CHECK(traced.events().size() == 6);
  CHECK_THROWS_WITH(std::rethrow_exception(traced.error()), "lane 3 is stuck");
  CHECK_THAT(traced.text(), Catch::EndsWith("\nerror: lane 3 is stuck\n"));

  // There is nothing to show, and exceptions of others are not ours.
  const auto fails_at_once = [](const Convergence&) { throw Error("no such device"); };
  CHECK_THROWS_WITH(trace::record("some kernel", 4, {}, fails_at_once), "no such device");
  const auto fails_otherwise = [](const Convergence& convergence) {
    run_all(convergence);
    throw std::runtime_error("disk full");
  };
  CHECK_THROWS_WITH(trace::record("some kernel", 4, {}, fails_otherwise), "disk full");
}

TEST_CASE("a trace under another rule says how to repeat it") {
  const Request request{.rule = Rule::core, .choose = "rejoin-none"};
  const Trace traced = trace_of(request);
  CHECK_FALSE(traced.choices().empty());
  CHECK_THAT(traced.text(), Catch::Contains(": 4 lanes, core, rejoin-none\n"));
  CHECK_THAT(traced.text(), Catch::EndsWith("choose = \"replay:" + traced.choices() + "\"\n"));
  Request again = request;
  again.choose = "replay:" + traced.choices();
  CHECK(trace_of(again).events() == traced.events());
  CHECK(trace_of({}).choices().empty());
  CHECK_THROWS_AS(trace_of({.choose = "sometimes"}), Error);
}

TEST_CASE("a trace says once which sources it cannot read") {
  const std::string note = "without source lines: no such file cannot be read from this folder\n";
  const std::string text = trace_of({}).text();
  CHECK_THAT(text, Catch::Contains(note));
  CHECK(text.find(note) == text.rfind(note));
}

TEST_CASE("a trace is printed to streams and saved to .txt files") {
  const Trace traced = trace_of({});
  std::ostringstream printed;
  traced.print(printed);
  CHECK(printed.str() == traced.text());

  const auto path = std::filesystem::temp_directory_path() / "lockstep-trace-save.txt";
  traced.save(path.string());
  std::ostringstream saved;
  saved << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  CHECK(saved.str() == traced.text({.columns = 100, .colour = false, .stack = false}));
  CHECK_THROWS_WITH(traced.save("trace.pdf"),
                    "cannot save a trace as trace.pdf: the name must end with .txt");
  CHECK_THROWS_WITH(traced.save("/no/such/directory/trace.txt"),
                    "cannot write the trace to /no/such/directory/trace.txt");
}

}  // namespace
