#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/keywords.hpp>

#include "tests.hpp"

LOCKSTEP_STRUCT(Particle, (vec3, position), (float, mass), (uint, hits, 4));

template <class S>
struct Structs : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<Particle> particles;
  Buffer<const vec3> velocities;
  image2D map;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    particles[i].position += velocities[i];
    particles[i].position.y = 0.0f;
    atomicAdd(particles[i].hits[i % 4u], 1u);
    const vec3 p = particles[i].position;
    imageStore(map, ivec2(Int(p.x), Int(p.z)), vec4(particles[i].mass));
  }
};

#include <lockstep/glsl/keywords_off.hpp>

bool test_structs(const lockstep::Device& device) {
  std::vector<Particle> particles(64);
  const std::vector<lockstep::std430::vec3> velocities(64, {1, 5, 2});
  for (std::size_t i = 0; i < particles.size(); ++i) {
    particles[i].position = {static_cast<float>(i), 0, static_cast<float>(i / 2)};
    particles[i].mass = 1.0f;
  }
  lockstep::Image2D map(lockstep::ImageFormat::r32f, 80, 40);
  device.dispatch<Structs>({1}, particles, velocities, map);
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const Particle& p = particles[i];
    if (p.position.x != static_cast<float>(i + 1) || p.position.y != 0 || p.hits[i % 4] != 1) {
      return false;
    }
  }
  return true;
}
