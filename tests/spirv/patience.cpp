#include "runtime/dispatch/patience.hpp"

#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

namespace {

/// Lets loops go on so many times.
struct Counting : Patience {
  explicit Counting(int most) : left(most) {}
  bool goes_on(const Size3& workgroup) override {
    last = workgroup;
    return left-- > 0;
  }
  int left;
  Size3 last{9, 9, 9};
};

constexpr const char* counting = R"(#version 450
  layout(local_size_x = 3) in;
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  void main() {
    uint n = a[0];
    for (uint k = 0; k < n; ++k) atomicAdd(a[1 + gl_WorkGroupID.x], 1);
  })";

}  // namespace

TEST_CASE("loops go on as long as a dispatch has patience, under every rule") {
  for (const Rule rule : {Rule::maximal, Rule::core}) {
    CAPTURE(to_string(rule));
    Convergence convergence{.rule = rule};
    const auto dispatch = [&](Counting& patience, std::vector<std::uint32_t>& a) {
      auto shader = Shader::from_glsl(counting);
      shader.bind(0, a).dispatch({2}, {.subgroup_size = 4,
                                       .threads = 1,
                                       .max_steps = 10,
                                       .convergence = rule == Rule::core ? &convergence : nullptr,
                                       .progress = &patience});
    };
    std::vector<std::uint32_t> a{100, 0, 0};
    Counting enough(1000);
    dispatch(enough, a);
    CHECK(a == std::vector<std::uint32_t>{100, 300, 300});
    // Two loops of 100 iterations are asked about each 10, the last time perhaps not.
    CHECK(1000 - enough.left >= 18);
    CHECK(1000 - enough.left <= 20);
    CHECK(enough.last.x == 1);
    Counting little(3);
    a = {100, 0, 0};
    CHECK_THROWS_AS(dispatch(little, a), EndlessLoop);
    CHECK(little.left == -1);
    CHECK(little.last.x == 0);
  }
}
