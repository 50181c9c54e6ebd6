#include <lockstep/exec/whole_subgroup.hpp>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/state.hpp>

namespace {

using namespace lockstep;

TEST_CASE("what needs a whole subgroup says which lanes are missing") {
  const SourceLocation here{"kernel.hpp", 7};
  exec::State<16> state;
  for (const int lanes : {1, 5, 14}) {
    state.active = Mask<16>::first_n(lanes);
    CHECK_NOTHROW(exec::need_whole_subgroup(state, static_cast<std::uint32_t>(lanes), "it", here));
    CHECK_THROWS_WITH(
        exec::need_whole_subgroup(state, static_cast<std::uint32_t>(lanes + 2), "it", here),
        Catch::StartsWith("kernel.hpp:7: it needs all invocations of the subgroup: lanes ") &&
            Catch::Contains("are not"));
  }
}

TEST_CASE("what needs a whole subgroup needs it in one tangle") {
  const SourceLocation here{"kernel.hpp", 7};
  ReconvergenceStack stack;
  stack.tangles = {{LaneSet{0b0101}, false}, {LaneSet{0b1010}, false}};
  exec::TangledState<8> state;
  state.stack = &stack;
  state.active = Mask<8>::first_n(4);
  CHECK_THROWS_WITH(exec::need_whole_subgroup(state, 4, "it", here),
                    Catch::Contains("have not rejoined"));
  stack.tangles = {{LaneSet{0b1111}, true}};
  CHECK_NOTHROW(exec::need_whole_subgroup(state, 4, "it", here));
}

}  // namespace
