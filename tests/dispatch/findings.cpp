// Findings of kernels in C++ say where in the source they were, on every machine.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/glsl/block.hpp>
#include <lockstep/glsl/image.hpp>
#include <lockstep/glsl/kernel.hpp>
#include <lockstep/glsl/pixels.hpp>

using namespace lockstep;

namespace {

LOCKSTEP_STRUCT(Pair, (uint, key), (vec3, value), (uint, counts, 2));

/// Every way of accessing memory, one in a line from first_line on, all of it outside.
template <class S>
struct Everywhere : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<Pair> pairs;
  image2D image;
  Shared<uint, 4> shared{this};
  static constexpr int first_line = __LINE__ + 2;
  Barriers main() {
    out[gl_LocalInvocationIndex + 100u] = in[Int(-1)];
    out[100u] = in[gl_LocalInvocationIndex + in.length()];
    atomicAdd(out[100u], Uint(1u));
    shared[gl_LocalInvocationIndex + 4u] = shared[4u];
    pairs[gl_LocalInvocationIndex + 1u].key = pairs[1u].counts[0u];
    pairs[0u].counts[gl_LocalInvocationIndex + 2u] = pairs[0u].counts[2u];
    atomicAdd(pairs[0u].counts[2u], Uint(1u));
    imageStore(image, ivec2(8, 0), imageLoad(image, ivec2(0, 8)));
    co_await barrier();
  }
};

void check(const FaultLog& faults) {
  using Kind = MemoryObject::Kind;
  struct Expected {
    int line;
    AccessKind kind;
    MemoryObject object;
  };
  const auto at = [](Kind kind, std::uint32_t binding) {
    return MemoryObject{.kind = kind, .binding = binding};
  };
  const AccessKind read = AccessKind::read, write = AccessKind::write, atomic = AccessKind::atomic;
  const std::vector<Expected> expected = {
      {0, read, at(Kind::buffer, 0)},   {0, write, at(Kind::buffer, 1)},
      {1, read, at(Kind::buffer, 0)},   {1, write, at(Kind::buffer, 1)},
      {2, atomic, at(Kind::buffer, 1)}, {3, read, at(Kind::shared, 0)},
      {3, write, at(Kind::shared, 0)},  {4, read, at(Kind::buffer, 2)},
      {4, write, at(Kind::buffer, 2)},  {5, read, at(Kind::buffer, 2)},
      {5, write, at(Kind::buffer, 2)},  {6, atomic, at(Kind::buffer, 2)},
      {7, read, at(Kind::image, 3)},    {7, write, at(Kind::image, 3)},
  };
  REQUIRE(faults.findings().size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Finding& got = faults.findings()[k];
    INFO(to_string(got));
    CHECK(got.where.line == Everywhere<FastMachine<8>>::first_line + expected[k].line);
    CHECK(std::string(got.where.file).ends_with("dispatch/findings.cpp"));
    CHECK(got.access.kind == expected[k].kind);
    CHECK(got.access.object == expected[k].object);
    CHECK(to_string(got).find("findings.cpp:" + std::to_string(got.where.line) + ": error: ") !=
          std::string::npos);
  }
}

/// The same on pixels.
template <class S>
struct Beyond : Pixels<S> {
  LOCKSTEP_GLSL(S);
  Buffer<uint> out;
  Buffer<Pair> pairs;
  static constexpr int first_line = __LINE__ + 2;
  void main() {
    const Uint value = out[gl_SubgroupInvocationID + 9u];
    out[9u] = value;
    pairs[9u].key = value;
  }
};

}  // namespace

TEST_CASE("findings name the line of the access, on the fast machine and on the tangled one") {
  const Device device{.subgroup_size = 8, .threads = 1, .faults = Faults::counted};
  const std::vector<std::uint32_t> in(4);
  std::vector<std::uint32_t> out(8);
  std::vector<Pair> pairs(1);
  std::vector<float> texels(64);
  Image image(ImageFormat::r32f, ImageKind::two_d, {8, 8, 1},
              std::as_writable_bytes(std::span(texels)));
  check(device.dispatch<Everywhere, 8>({1}, in, out, pairs, image));
  check(device.dispatch<Everywhere, 8>(Convergence{}, {1}, in, out, pairs, image));
}

TEST_CASE("findings of pixels name the line of the access") {
  const Device device{.subgroup_size = 8, .threads = 1, .faults = Faults::counted};
  std::vector<std::uint32_t> out(8);
  std::vector<Pair> pairs(1);
  for (const bool tangled : {false, true}) {
    const FaultLog faults = tangled
                                ? device.dispatch_pixels<Beyond, 8>(Convergence{}, 2, 2, out, pairs)
                                : device.dispatch_pixels<Beyond, 8>(2, 2, out, pairs);
    REQUIRE(faults.findings().size() == 3);
    CHECK(faults.findings()[0].where.line == Beyond<PixelMachine<8>>::first_line);
    CHECK(faults.findings()[1].where.line == Beyond<PixelMachine<8>>::first_line + 1);
    CHECK(faults.findings()[2].where.line == Beyond<PixelMachine<8>>::first_line + 2);
  }
}

namespace {

/// Each lane writes beyond the buffer, then the first never ends.
template <class S>
struct WriteThenSpin : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{8};
  Buffer<uint> out;
  void main() {
    out[gl_LocalInvocationIndex + 1u] = Uint(7u);
    auto n = var(0u);
    for (auto l = this->loop(); l.again((n * 0u == gl_LocalInvocationIndex).mask()); l.next())
      n += 1u;
  }
};

}  // namespace

TEST_CASE("a finding that ends a dispatch has the earlier ones") {
  std::vector<uint32_t> out(8);
  const Device device{.subgroup_size = 8, .max_trips = 100};
  const auto check_earlier = [&](auto dispatch) {
    try {
      dispatch();
      FAIL("the loop ended");
    } catch (const FindingError& error) {
      CHECK(error.finding().rule == "no-progress");
      REQUIRE(error.earlier().count() == 1);
      CHECK(error.earlier().first().rule == "out-of-bounds");
      CHECK(error.earlier().first().lanes == LaneSet::lane(7));
    }
  };
  check_earlier([&] { device.dispatch<WriteThenSpin, 8>({1}, out); });
  check_earlier([&] { device.dispatch<WriteThenSpin, 8>(Convergence{}, {1}, out); });
}
