#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include <lockstep/glsl/geometric.hpp>

#include "glsl/check_vec.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

// One lane's vector, in twice the tested precision.
template <class T>
using Real = std::conditional_t<sizeof(T) == 8, long double, double>;
template <class T>
using Reals = std::vector<Real<T>>;

template <class R>
R exact_dot(const std::vector<R>& x, const std::vector<R>& y) {
  R sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

/// a * x + b * y.
template <class R>
std::vector<R> combine(R a, const std::vector<R>& x, R b, const std::vector<R>& y) {
  std::vector<R> result;
  for (std::size_t k = 0; k < x.size(); ++k) result.push_back(a * x[k] + b * y[k]);
  return result;
}

/// Random vectors with components between -1 and 1 that T holds exactly. Padding holds garbage.
template <class T, int N, int W>
VecArray<T, N, W> sample_directions(Random& random) {
  auto values = sample_vec<T, N, W>(random, Values::small);
  for (auto& component : values) {
    for (std::size_t i = 0; i < W; ++i) {
      component[i] = static_cast<T>(static_cast<float>(component[i]) / 16.0f + 1.0f / 32.0f);
    }
  }
  return values;
}

template <class T, std::size_t P, std::size_t N>
Reals<T> lane_of(const std::array<std::array<T, P>, N>& v, std::size_t i) {
  Reals<T> result;
  for (const auto& component : v) result.push_back(static_cast<Real<T>>(component[i]));
  return result;
}
template <class V>
Reals<typename V::value_type> lane_of(const V& v, std::size_t i) {
  Reals<typename V::value_type> result;
  for (int k = 0; k < V::components; ++k) {
    result.push_back(static_cast<Real<typename V::value_type>>(v[k][static_cast<int>(i)]));
  }
  return result;
}

// Every intermediate of the functions below is at most 8 in size for components of at most 1, and
// each rounds by at most half an epsilon of its size; none has more than 16 roundings in a row.
template <class T>
Real<T> tolerance() {
  return 16 * 8 / 2 * static_cast<Real<T>>(std::numeric_limits<T>::epsilon());
}
// A square root near zero magnifies an error e of its argument up to sqrt(e).
template <class T>
Real<T> tolerance_of_root() {
  return std::sqrt(tolerance<T>()) * 4;
}

template <class T>
void check_close(const char* name, const Reals<T>& got, const Reals<T>& want, Real<T> allowed) {
  REQUIRE(got.size() == want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    INFO(name << " of " << type_name<T>() << ", component " << k << ": "
              << static_cast<double>(got[k]) << " instead of " << static_cast<double>(want[k]));
    CHECK(std::fabs(got[k] - want[k]) <= allowed);
  }
}

template <class T>
Reals<T> exact_refract(const Reals<T>& i, const Reals<T>& n, Real<T> eta) {
  const Real<T> cosine = exact_dot(n, i);
  const Real<T> k = 1 - eta * eta * (1 - cosine * cosine);
  if (k < 0) return Reals<T>(i.size(), 0);
  return combine(eta, i, -(eta * cosine + std::sqrt(k)), n);
}
/// Whether rounding could decide between refraction and total reflection.
template <class T>
bool near_total_reflection(const Reals<T>& i, const Reals<T>& n, Real<T> eta) {
  const Real<T> cosine = exact_dot(n, i);
  return std::fabs(1 - eta * eta * (1 - cosine * cosine)) < tolerance<T>();
}

template <int N, class T, int W>
void check_vectors(Type<T>, Size<W>) {
  Random random = make_random(W);
  const auto in_x = sample_directions<T, N, W>(random);
  const auto in_y = sample_directions<T, N, W>(random);
  const auto in_z = sample_directions<T, N, W>(random);
  const auto in_eta = sample_directions<T, 1, W>(random)[0];
  const Vec<T, N, W> x = vec_from<T, W>(in_x);
  const Variable y(vec_from<T, W>(in_y));
  const Vec<T, N, W> z = vec_from<T, W>(in_z);
  const Variable eta(lanes_from<T, W>(in_eta));

  const auto dots = dot(x, y);
  const auto lengths = length(x);
  const auto distances = distance(x, y);
  const auto unit = normalize(x);
  const auto forward = faceforward(x, y, z);
  const auto mirrored = reflect(x, y);
  const auto bent = refract(x, y, eta);
  const auto bent_alike = refract(x, y, T(0.75f));
  for (std::size_t i = 0; i < W; ++i) {
    using R = Real<T>;
    const Reals<T> a = lane_of<T>(in_x, i), b = lane_of<T>(in_y, i), c = lane_of<T>(in_z, i);
    const int lane = static_cast<int>(i);
    const R size = std::sqrt(exact_dot(a, a));
    const Reals<T> between = combine<R>(1, a, -1, b);
    check_close<T>("dot", {static_cast<R>(dots[lane])}, {exact_dot(a, b)}, tolerance<T>());
    check_close<T>("length", {static_cast<R>(lengths[lane])}, {size}, tolerance<T>());
    check_close<T>("distance", {static_cast<R>(distances[lane])},
                   {std::sqrt(exact_dot(between, between))}, tolerance<T>());
    check_close<T>("normalize", lane_of(unit, i), combine<R>(1 / size, a, 0, a), tolerance<T>());
    // The sign of a scalar product that rounding may flip proves nothing.
    const R facing = exact_dot(c, b);
    if (std::fabs(facing) > tolerance<T>()) {
      check_close<T>("faceforward", lane_of(forward, i), combine<R>(facing < 0 ? 1 : -1, a, 0, a),
                     0);
    }
    check_close<T>("reflect", lane_of(mirrored, i), combine<R>(1, a, -2 * exact_dot(b, a), b),
                   tolerance<T>());
    const auto ratio = static_cast<R>(in_eta[i]);
    if (!near_total_reflection<T>(a, b, ratio)) {
      check_close<T>("refract", lane_of(bent, i), exact_refract<T>(a, b, ratio),
                     tolerance_of_root<T>());
    }
    if (!near_total_reflection<T>(a, b, R(0.75))) {
      check_close<T>("refract", lane_of(bent_alike, i), exact_refract<T>(a, b, R(0.75)),
                     tolerance_of_root<T>());
    }
  }
}

template <class V, class W>
concept Crossable = requires(V v, W w) {
  cross(v, w);
};

}  // namespace

TEST_CASE("Geometric functions of vectors") {
  for_each_size(VecSizes{}, [](auto width) { check_vectors<3>(Type<float>{}, width); });
  for_each_size(TwoSizes{}, [](auto width) {
    check_vectors<2>(Type<float>{}, width);
    check_vectors<4>(Type<float>{}, width);
    check_vectors<3>(Type<double>{}, width);
    check_vectors<2>(Type<float16_t>{}, width);
  });
}

TEST_CASE("cross gives the right-handed perpendicular, exactly where products are exact") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto x = sample_directions<float, 3, W>(random);
    const auto y = sample_directions<float, 3, W>(random);
    const auto got = cross(vec_from<float, W>(x), Variable(vec_from<float, W>(y)));
    VecArray<float, 3, W> want{};
    for (std::size_t i = 0; i < W; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
        want[k][i] = x[next][i] * y[last][i] - x[last][i] * y[next][i];
      }
    }
    CHECK(difference_of(got, want, same_value<float>) == "");
  });
  STATIC_REQUIRE(Crossable<Vec<double, 3, 8>, Vec<double, 3, 8>>);
  STATIC_REQUIRE(!Crossable<Vec<float, 2, 8>, Vec<float, 2, 8>>);
  STATIC_REQUIRE(!Crossable<Vec<int, 3, 8>, Vec<int, 3, 8>>);
}

TEST_CASE("Geometric functions take plain lanes as vectors of one component") {
  for_each_size(VecSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto x = sample_directions<float, 1, W>(random)[0];
    const auto y = sample_directions<float, 1, W>(random)[0];
    const Variable a(lanes_from<float, W>(x));
    const Lanes<float, W> b = lanes_from<float, W>(y);
    LaneArray<float, W> product{}, size{}, apart{}, sign{}, forward{}, mirrored{};
    for (std::size_t i = 0; i < W; ++i) {
      product[i] = x[i] * y[i];
      // Squares of these values and their roots are exact.
      size[i] = std::fabs(x[i]);
      apart[i] = std::fabs(x[i] - y[i]);
      sign[i] = x[i] < 0 ? -1.0f : 1.0f;
      forward[i] = y[i] * x[i] < 0 ? x[i] : -x[i];
      mirrored[i] = x[i] - y[i] * (y[i] * x[i] * 2);
    }
    CHECK(difference(dot(a, b), product) == "");
    CHECK(difference(length(a), size) == "");
    CHECK(difference(distance(a, b), apart) == "");
    CHECK(difference(normalize(a), sign) == "");
    CHECK(difference(faceforward(a, b, a), forward) == "");
    CHECK(difference(reflect(a, b), mirrored) == "");
    // Straight through a surface: nothing bends, whatever the ratio.
    const Lanes<float, W> straight = refract(Lanes<float, W>(-1.0f), Lanes<float, W>(1.0f), a);
    for (int i = 0; i < W; ++i) CHECK(straight[i] == -1.0f);
  });
}

TEST_CASE("Total reflection refracts nothing") {
  using F3 = Vec<float, 3, 8>;
  const F3 grazing(0.96f, -0.28f, 0.0f);
  const F3 up(0.0f, 1.0f, 0.0f);
  const F3 none = refract(grazing, up, 1.5f);
  const F3 some = refract(grazing, up, 1.0f);
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      CHECK(none[k][i] == 0.0f);
      CHECK(some[k][i] == Approx(grazing[k][i]).margin(1e-6));
    }
  }
}
