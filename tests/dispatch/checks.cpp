#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>

using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

template <class S>
struct Nothing : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{4};
  Buffer<uint> data;
  void main() {}
};

/// The Error of a dispatch with these rules; empty if there is none.
template <class F>
std::string error_of(Checks checks, const F& dispatch) {
  std::vector<std::uint32_t> data(4);
  Device device{.subgroup_size = 4};
  device.checks = checks;
  try {
    dispatch(device, data);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a dispatch names the rules that it cannot check for") {
  const auto unchecked = [](const Device& device, auto& data) {
    device.dispatch<Nothing, 4>(1, data);
  };
  CHECK(error_of({}, unchecked).empty());
  CHECK(error_of({Check::out_of_bounds, Check::no_progress}, unchecked).empty());
  CHECK(error_of({Check::out_of_bounds, Check::math_domain, Check::all_nan}, unchecked) ==
        "dispatch does not check kernels for all-nan,math-domain; dispatch_checked of "
        "<lockstep/checked.hpp> does");
  CHECK_THAT(error_of(Checks::all(), unchecked), Contains("dispatch does not check kernels for"));

  const auto tangled = [](const Device& device, auto& data) {
    device.dispatch<Nothing, 4>(Convergence(), 1, data);
  };
  CHECK(error_of({Check::data_race, Check::quad_size}, tangled).empty());
  CHECK_THAT(error_of({Check::undefined_shuffle}, tangled),
             Contains("dispatch with a Convergence does not check kernels for undefined-shuffle"));
}

TEST_CASE("a checked dispatch names the rules that kernels cannot be checked for") {
  const auto checked = [](const Device& device, auto& data) {
    device.dispatch_checked<Nothing, 4>(1, data);
  };
  CHECK(error_of({}, checked).empty());
  CHECK(error_of(Checks::all(), checked).empty());
  CHECK(error_of(kernel_checks(), checked).empty());
  CHECK_THAT(error_of({Check::math_domain, Check::subgroupuniform_broken}, checked),
             Contains("dispatch_checked does not check kernels for subgroupuniform-broken; kernels "
                      "in C++ can be checked for out-of-bounds,"));
}

TEST_CASE("kernels that are compiled without poison say so") {
  std::vector<std::uint32_t> data(1);
  const Device device{.subgroup_size = 4, .undefined = Undefined::poison};
  CHECK_THROWS_WITH((device.dispatch<Nothing, 4>(1, data)),
                    Contains("Undefined::poison needs kernels that are compiled with "
                             "-DLOCKSTEP_POISON=1"));
  CHECK_NOTHROW((device.dispatch<Nothing, 4>(Convergence(), 1, data)));
  CHECK_NOTHROW((device.dispatch_checked<Nothing, 4>(1, data)));
}

}  // namespace
