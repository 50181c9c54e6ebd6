#include <cmath>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

template <class S>
struct Vectors : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<const vec4> in;
  Buffer<vec4> out;
  float angle;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const vec4 v = in[i];
    const Float turn = angle * Float(i);
    const vec2 turned = vec2(v.x * cos(turn) - v.y * sin(turn), v.x * sin(turn) + v.y * cos(turn));
    out[i] = vec4(turned, length(vec2(v.z, v.w)), clamp(dot(v, v), 0.0f, 1.0f));
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_vectors(const lockstep::Device& device) {
  const std::vector<lockstep::std430::vec4> in(64, {1, 0, 3, 4});
  std::vector<lockstep::std430::vec4> out(64);
  device.dispatch<Vectors>({1}, in, out, 0.5f);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float turn = 0.5f * static_cast<float>(i);
    if (std::abs(out[i].x - std::cos(turn)) > 1e-4f ||
        std::abs(out[i].y - std::sin(turn)) > 1e-4f || out[i].z != 5 || out[i].w != 1) {
      return false;
    }
  }
  return true;
}
