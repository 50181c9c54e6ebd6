// A read-only struct has no writable member.
// expect-error: no match for 'operator='
// expect-error: no viable overloaded '='
#include <lockstep/lockstep.hpp>

using namespace lockstep;

LOCKSTEP_STRUCT(Particle, (vec3, position), (float, mass));

#ifdef MUST_FAIL
using Mass = const Particle;
#else
using Mass = Particle;
#endif

void weigh(const BlockArray<FastMachine<8>, Mass>& particles) {
  particles[0].mass = Lanes<float, 8>(1.0f);
}
