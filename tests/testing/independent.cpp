#include <lockstep/testing/independent.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/testing/catch.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace {

using namespace lockstep;

using Numbers = std::vector<std::uint32_t>;

/// Counts the lanes that are together after a selection inside another: core does not promise that they all are.
template <class S>
struct CountRejoined : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  void main() {
    const Uint i = gl_LocalInvocationIndex;
    If (i < 3u) {
      If (i < 2u) out[i + 8u] = 1u;
      out[i] = subgroupAdd(Uint(1u));
    }
  }
};

/// A sum that is the same at every size.
template <class S>
struct AddAll : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  void main() {
    const Uint sum = subgroupAdd(gl_LocalInvocationIndex);
    If (subgroupElect()) atomicAdd(out[0], sum);
  }
};

/// The last subgroup to write wins.
template <class S>
struct LastWins : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  Shared<uint, 1> last{this};
  Barriers main() {
    last[0] = gl_LocalInvocationIndex / 4u;
    co_await barrier();
    If (gl_LocalInvocationIndex == 0u) out[0] = last[0];
  }
};

template <template <class> class K>
constexpr auto run = [](int subgroup_size, const Convergence& convergence) {
  Numbers out(16);
  Device{.subgroup_size = subgroup_size, .threads = 1}.dispatch<K, 128>(convergence, {1}, out);
  return out;
};

template <class F>
std::string dependence(const F& f, Behaviours behaviours = {}) {
  const auto matcher = IsIndependent(std::move(behaviours));
  return matcher.match(f) ? "" : matcher.toString();
}

}  // namespace

#include <lockstep/glsl/keywords_off.hpp>

TEST_CASE("a kernel whose result is always the same is independent") {
  CHECK_THAT(run<AddAll>, IsIndependent());
  const auto matcher = IsIndependent({.sizes = {4, 8}});
  CHECK(matcher.match(run<AddAll>));
  CHECK_THAT(matcher.toString(), Catch::StartsWith("is independent in "));
}

TEST_CASE("the failure names the smallest size and choice") {
  CHECK(dependence(run<CountRejoined>, {.rule = Rule::maximal}).empty());
  const std::string text = dependence(run<CountRejoined>);
  CHECK_THAT(text, Catch::StartsWith("depends on a choice: at subgroup size 4 with the choices "
                                     "replay:"));
  CHECK_THAT(text, Catch::Contains("lanes stay apart at "));
  CHECK_THAT(text, Catch::Contains("independent.cpp:"));
  CHECK_THAT(text, Catch::Contains("element 0: got 2, expected 3"));

  const auto of_size = [](int size, const Convergence&) {
    return Numbers{size < 32 ? 1u : static_cast<std::uint32_t>(size)};
  };
  CHECK_THAT(dependence(of_size),
             Catch::StartsWith("depends on a choice: at subgroup size 32 with the choices "
                               "rejoin-all, compared with size 4 and rejoin-all: "));
  CHECK(dependence(of_size, {.sizes = {4, 8, 16}}).empty());
}

TEST_CASE("the order of a workgroup's subgroups is a choice") {
  const std::string text = dependence(run<LastWins>);
  CHECK_THAT(text, Catch::StartsWith("depends on a choice: at subgroup size 4 with the choices "
                                     "subgroup-order=replay:"));
  CHECK(dependence(run<LastWins>, {.sizes = {8, 16}}).empty());
}

TEST_CASE("an exception is a result") {
  const auto fails = [](int size, const Convergence&) {
    if (size == 16) throw std::runtime_error("no such luck");
    return Numbers{1};
  };
  CHECK_THAT(dependence(fails),
             Catch::Contains("size 16") && Catch::EndsWith("it ended with: no such luck"));
  CHECK_THAT(dependence(fails, {.sizes = {16, 8}}),
             Catch::EndsWith("only the other run ended with: no such luck"));
}

TEST_CASE("GoogleTest is told what a run depends on") {
  std::ostringstream text, description;
  const auto matcher = IsIndependent({.sizes = {4}});
  CHECK_FALSE(matcher.MatchAndExplain(run<CountRejoined>, &text));
  CHECK_THAT(text.str(), Catch::StartsWith("which depends on a choice: at subgroup size 4"));
  CHECK(matcher.MatchAndExplain(run<AddAll>, nullptr));
  matcher.DescribeTo(&description);
  CHECK(description.str() == "must give the same at every subgroup size, under every choice");
}
