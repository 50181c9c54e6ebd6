#include <lockstep/spirv/descriptor_set.hpp>

#include <catch2/catch.hpp>

#include <vector>

#include <lockstep/exec/error.hpp>

using namespace lockstep;
using Kind = Descriptor::Kind;

TEST_CASE("a descriptor set holds what was bound, by binding and element") {
  DescriptorSet set;
  std::vector<std::uint32_t> a(4);
  const std::vector<std::uint32_t> constant(6);
  set.bind(0, a).bind(3, constant).bind_bytes(3, std::as_writable_bytes(std::span(a)), 5);
  REQUIRE(set.find(0) != nullptr);
  CHECK(set.find(0)->kind == Kind::buffer);
  CHECK(set.find(0)->bytes.data() == reinterpret_cast<std::byte*>(a.data()));
  CHECK(set.find(0)->bytes.size() == 16);
  CHECK(set.find(0)->writable);
  CHECK(set.find(0)->range == Descriptor::whole_size);
  CHECK_FALSE(set.find(3)->writable);
  CHECK(set.find(3, 5)->writable);
  CHECK(set.find(3, 4) == nullptr);
  CHECK(set.find(3, 6) == nullptr);
  CHECK(set.find(1) == nullptr);
}

TEST_CASE("an image and a sampler share an element, in either order") {
  DescriptorSet set;
  Image2D image(ImageFormat::rgba8, 4, 3);
  Sampler linear;
  linear.mag_filter = Filter::linear;
  set.bind_image(0, image).bind_sampler(0, linear);
  set.bind_sampler(1, linear).bind_image(1, image);
  for (const std::uint32_t binding : {0u, 1u}) {
    const Descriptor* both = set.find(binding);
    REQUIRE(both != nullptr);
    CHECK(both->kind == Kind::texels);
    CHECK(both->format == ImageFormat::rgba8);
    CHECK(both->extent == Size3{4, 3, 1});
    CHECK(both->bytes.data() == image.bytes().data());
    REQUIRE(both->sampler);
    CHECK(both->sampler->mag_filter == Filter::linear);
  }
  set.bind_sampler(2, linear);
  CHECK(set.find(2)->kind == Kind::none);
}

TEST_CASE("a texel buffer has as many texels as fit") {
  DescriptorSet set;
  std::vector<std::byte> bytes(18);
  set.bind_texels(0, ImageFormat::r32ui, bytes, 2);
  CHECK(set.find(0, 2)->extent == Size3{4, 1, 1});
}

TEST_CASE("descriptors are copied between sets and removed") {
  DescriptorSet from, to;
  std::vector<std::byte> bytes(64);
  from.bind_range(0, bytes, 16, 32, 1);
  to.write(7, 0, *from.find(0, 1));
  CHECK(to.find(7)->offset == 16);
  CHECK(to.find(7)->range == 32);
  to.bind_null(7);
  CHECK(to.find(7)->kind == Kind::null);
  to.write(7, 0, {});
  CHECK(to.find(7) == nullptr);
  CHECK(from.find(0, 1)->offset == 16);
}

TEST_CASE("an element above a million is an error, and nothing is allocated for it") {
  DescriptorSet set;
  CHECK_THROWS_WITH(set.bind_null(2, 1u << 20),
                    "binding 2: element 1048576 is too high: a binding has at most 1048576");
  CHECK(set.find(2, 1u << 20) == nullptr);
}
