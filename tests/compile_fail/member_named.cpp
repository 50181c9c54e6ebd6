// As an element, a member of one has no name.
// expect-error: an element cannot be named by auto
#include <vector>

#include <lockstep/glsl/keywords.hpp>

LOCKSTEP_STRUCT(Particle, (vec3, position), (float, mass));

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<Particle> particles;
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    auto mass = particles[i].mass;
    data[i] = Uint(mass + 1.0f);
#else
    const Float mass = particles[i].mass;
    data[i] = Uint(mass + 1.0f);
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<Particle>& particles, std::vector<std::uint32_t>& data) {
  lockstep::Device{}.dispatch<Misused, 8>({1}, particles, data);
}
