#include <lockstep/testing/for_each_choice.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/glsl/kernel.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

constexpr SourceLocation where_asked{"asked.cpp", 7};

template <class F>
std::string error_under_choices(const F& test, Rule rule = Rule::core) {
  try {
    for_each_choice(test, rule);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Counts the lanes that are together after a selection, which core promises only if the whole workgroup entered it.
template <class S>
struct CountTogether : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  void main() {
    const Uint i = gl_LocalInvocationIndex;
    If (i < 6u) {
      If (i < 2u) out[i + 8u] = 1u;
      out[i] = subgroupAdd(Uint(1u));
    }
  }
};

std::vector<std::uint32_t> counted(const Convergence& convergence) {
  std::vector<std::uint32_t> out(16);
  Device{.subgroup_size = 8, .threads = 1}.dispatch<CountTogether>(convergence, {1}, out);
  return out;
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>

TEST_CASE("a test runs under every choice, those with the fewest first") {
  std::vector<std::vector<std::uint32_t>> seen;
  CHECK(for_each_choice([&](const Convergence& convergence) {
    CHECK(convergence.rule == Rule::core);
    for (int k = 0; k < 2; ++k) convergence.chooser->choose(2, where_asked);
    seen.push_back(convergence.chooser->made());
  }));
  CHECK(seen == std::vector<std::vector<std::uint32_t>>{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
  // The number of runs may be limited.
  seen.clear();
  CHECK_FALSE(for_each_choice(
      [&](const Convergence& convergence) {
        for (int k = 0; k < 2; ++k) convergence.chooser->choose(2, where_asked);
        seen.push_back(convergence.chooser->made());
      },
      Rule::core, 3));
  CHECK(seen.size() == 3);
}

TEST_CASE("the fewest choices that fail are named, with their places") {
  CHECK(error_under_choices([](const Convergence& convergence) {
          std::uint32_t sum = 0;
          for (int k = 0; k < 4; ++k) sum += convergence.chooser->choose(2, where_asked);
          return sum < 2;
        }) ==
        "under core convergence the choices replay:1,1,0,0 (lanes stay apart at "
        "asked.cpp:7) fail, and none with fewer: the test returned false");
  CHECK(error_under_choices([](const Convergence&) -> bool { throw Error("always"); },
                            Rule::subgroup_uniform) ==
        "under subgroup-uniform convergence the choices rejoin-all fail, and none with fewer: "
        "always");
}

TEST_CASE("a kernel that relies on reconvergence fails under choices, and not under maximal") {
  const auto all_together = [](const Convergence& convergence) {
    const std::vector<std::uint32_t> out = counted(convergence);
    return std::vector(out.begin(), out.begin() + 6) == std::vector<std::uint32_t>(6, 6);
  };
  const std::string error = error_under_choices(all_together);
  INFO(error);
  CHECK(error.find("for_each_choice.cpp:") != std::string::npos);
  CHECK(error.find("lanes stay apart at") != std::string::npos);
  CHECK(for_each_choice(all_together, Rule::maximal));
}
