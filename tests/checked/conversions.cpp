#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/checked.hpp>
#include <lockstep/lanes/float16.hpp>

/// \file
/// Every form in which a kernel can convert floats to integers: undefined in the lanes whose number, without its
/// fraction, the integer type cannot hold.

namespace {

using namespace lockstep;

constexpr int lanes = 32;

/// One float for each lane: the limits of the integer types, the floats next to them, infinities and NaN.
double number_of_lane(int lane) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double numbers[lanes] = {0,
                                     -0.5,
                                     -0.9990234375,
                                     -1,
                                     1.5,
                                     127.9375,
                                     128,
                                     -128.9375,
                                     -129,
                                     255.875,
                                     256,
                                     32752,
                                     32768,
                                     -32768,
                                     -32800,
                                     65504,
                                     65536,
                                     2147483520,
                                     2147483648,
                                     -2147483648,
                                     -2147484672,
                                     4294967040,
                                     4294967296,
                                     9223371487098961920,
                                     9223372036854775808.0,
                                     -9223372036854775808.0,
                                     -9223373136366403584.0,
                                     18446742974197923840.0,
                                     18446744073709551616.0,
                                     inf,
                                     -inf,
                                     std::numeric_limits<double>::quiet_NaN()};
  return numbers[lane];
}

/// The truth, by the digits of the integers.
template <class To, class From>
bool can_hold(From from) {
  const auto x = static_cast<long double>(static_cast<double>(from));
  if (std::isnan(x)) return false;
  const long double whole = std::trunc(x);
  return whole >= static_cast<long double>(std::numeric_limits<To>::min()) &&
         whole <= static_cast<long double>(std::numeric_limits<To>::max());
}
template <class To, class From>
LaneSet lanes_without_result() {
  LaneSet undefined;
  for (int i = 0; i < lanes; ++i)
    if (!can_hold<To>(static_cast<From>(number_of_lane(i))))
      undefined = undefined | LaneSet::lane(i);
  return undefined;
}
/// The same of one number in every lane.
template <class To, class From>
LaneSet all_without_result(int lane) {
  return can_hold<To>(static_cast<From>(number_of_lane(lane))) ? LaneSet()
                                                               : LaneSet::first_n(lanes);
}

/// What a kernel tells the test: of each form the lanes that should be undefined and those that are.
struct Form {
  std::string name;
  LaneSet expected, found;
};
std::vector<Form>* forms = nullptr;

template <class V>
LaneSet undefined_lanes(const V& value) {
  if constexpr (requires { value.poison(); })
    return to_lane_set(value.poison().lanes);
  else
    return {};
}

template <class From, class To>
struct Converting {
  template <class S>
  struct Kernel : lockstep::Kernel<S> {
    LOCKSTEP_GLSL(S);
    static constexpr Size3 local_size{lanes};
    using Floats = ValueOn<S, From>;
    using Integers = ValueOn<S, To>;
    template <int N>
    using FloatVec = VecOn<S, From, N>;
    template <int N>
    using IntegerVec = VecOn<S, To, N>;

    Buffer<From> data;
    Shared<From, lanes> tile{this};

    template <class V>
    void form(const char* name, const V& value,
              LaneSet expected = lanes_without_result<To, From>()) {
      if constexpr (requires(typename S::State state) { state.is_checked; })
        forms->push_back({name, expected, undefined_lanes(value)});
    }

    Barriers main() {
      const Uint i = gl_SubgroupInvocationID;
      tile[i] = data[i];
      const Floats value = data[i];
      const Floats one(From(1.0f));
      form("value", Integers(value));
      form("element", Integers(data[i]));
      form("shared element", Integers(tile[i]));
      form("expression", Integers(-(-data[i])));
      auto variable = var(value);
      form("variable", Integers(variable));
      auto result = var(Integers(To(0)));
      result = Integers(variable);
      form("assigned", result);
      Array<From, 2> array{this, value, one};
      form("element of a local array", Integers(array[i & 0u]));
      form("element at a uniform index of a local array", Integers(array[0]));
      form("select", Integers(select(i < 40u, value, one)));

      const FloatVec<2> vec(one, value);
      form("component of a vector", Integers(vec.y));
      form("component by its number", Integers(vec[1]));
      form("vector", IntegerVec<2>(vec).y);
      form("other component", IntegerVec<2>(vec).x, {});
      form("vector of one value", IntegerVec<3>(value).z);
      form("vector of values", IntegerVec<3>(one, value, one).y);
      form("vector of elements", IntegerVec<2>(data[i], tile[i]).y);
      form("vector of a vector and an element", IntegerVec<3>(vec, data[i]).y);
      form("vector of one element", IntegerVec<2>(data[i]).x);
      form("first components", IntegerVec<2>(FloatVec<3>(one, value, one)).y);
      form("swizzle", IntegerVec<2>(vec.yx).x);
      auto vec_variable = var(vec);
      form("vector variable", IntegerVec<2>(vec_variable).y);
      form("its component", Integers(vec_variable.y));
      form("its component by number", Integers(vec_variable[1]));
      form("its swizzle", IntegerVec<2>(vec_variable.yx).x);
      Array<FloatVec<2>, 1> vectors{this, vec};
      form("vector in a local array", IntegerVec<2>(vectors[0]).y);

      for (int lane = 0; lane < lanes; ++lane) {
        const std::string at = " of lane " + std::to_string(lane);
        const LaneSet expected = all_without_result<To, From>(lane);
        const auto number = static_cast<From>(number_of_lane(lane));
        form(("uniform" + at).c_str(), Integers(number), expected);
        form(("uniform in a vector" + at).c_str(), IntegerVec<2>(number, one).x, expected);
        form(("uniform vector" + at).c_str(), IntegerVec<2>(number).y, expected);
        form(("vector of numbers" + at).c_str(), IntegerVec<2>(FloatVec<2>(number)).y, expected);
        form(("element at a uniform index" + at).c_str(),
             Integers(data[static_cast<std::uint32_t>(lane)]), expected);
        form(("broadcast" + at).c_str(),
             Integers(subgroupBroadcast(value, static_cast<std::uint32_t>(lane))), expected);
      }
      co_return;
    }
  };
};

template <class From, class To>
void check_forms(std::string_view types) {
  std::vector<Form> found;
  forms = &found;
  std::vector<From> data;
  for (int i = 0; i < lanes; ++i) data.push_back(static_cast<From>(number_of_lane(i)));
  const Device device{.subgroup_size = lanes, .faults = Faults::counted};
  device.dispatch_checked<Converting<From, To>::template Kernel, lanes>(1, data);
  CHECK(found.size() > 100);
  for (const Form& form : found) {
    CAPTURE(types, form.name);
    CHECK(form.found == form.expected);
  }
}

TEST_CASE("floats that an integer type cannot hold are undefined in every form of conversion") {
  check_forms<float, std::int32_t>("float to int");
  check_forms<float, std::uint32_t>("float to uint");
  check_forms<double, std::int64_t>("double to int64_t");
}

template <class From, class To>
void check_limits(std::string_view types) {
  CAPTURE(types);
  const auto numbers = Lanes<From, lanes>::generate(
      [](int i) { return static_cast<From>(number_of_lane(i < lanes ? i : 0)); });
  CHECK(to_lane_set(checked::not_convertible<To>(numbers)) == lanes_without_result<To, From>());
}
template <class To>
void check_limits_of(std::string_view type) {
  check_limits<float, To>(type);
  check_limits<double, To>(type);
  check_limits<float16_t, To>(type);
}

TEST_CASE("each integer type has its limits") {
  check_limits_of<std::int8_t>("int8_t");
  check_limits_of<std::uint8_t>("uint8_t");
  check_limits_of<std::int16_t>("int16_t");
  check_limits_of<std::uint16_t>("uint16_t");
  check_limits_of<std::int32_t>("int");
  check_limits_of<std::uint32_t>("uint");
  check_limits_of<std::int64_t>("int64_t");
  check_limits_of<std::uint64_t>("uint64_t");
}

}  // namespace
