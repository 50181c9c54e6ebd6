// A kernel for gdb to stop in: tests/gdb/check.sh says where, and what gdb prints there.
#include <cstdint>
#include <vector>

#include <lockstep/glsl/mat.hpp>
#include <lockstep/lockstep.hpp>

// After all other headers: the macros rename ordinary words.
#include <lockstep/glsl/keywords.hpp>

namespace {

/// gdb stops here, and goes up to the kernel.
[[gnu::noinline]] void stop() { asm volatile(""); }

template <class S>
struct Stops : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{6};
  Buffer<uint> data;

  void main() {
    const Uint lane = gl_SubgroupInvocationID;
    const Float tenths = Float(lane) / 10.0f;
    const Bool odd = lane % 2u == 1u;
    const vec2 pair(Float(lane), 0.5f);
    const mat2 matrix(pair, vec2(1.0f, 2.0f));
    const auto bytes = lockstep::Lanes<std::int8_t, S::width>(Int(lane) - 3);
    const lockstep::Ballot ballot = subgroupBallot(odd);
    const lockstep::BallotLanes<S::width> ballots(ballot);
    auto counter = var(lane * 2u);
    auto moving = var(pair);
    If (odd) {
      counter += 100u;
      moving += vec2(1.0f, 0.0f);
      const auto active = active_lanes();
      stop();
      data[lane] = counter + Uint(moving.x) + Uint(matrix[0].x) + Uint(tenths) + Uint(bytes) +
                   ballots.x + Uint(static_cast<uint>(active.count()));
    }
  }
};

}  // namespace

int main() {
  std::vector<std::uint32_t> data(6);
  lockstep::Device{.subgroup_size = 6}.dispatch<Stops, 6>({1}, data);
}
