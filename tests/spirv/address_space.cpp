#include <lockstep/spirv/address_space.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

/// Adds what lies at an address, and beyond it by some elements, to its results. `more` are declarations in
/// front of them, so that resources have other numbers.
std::string adds_at_address(const std::string& more) {
  return R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430) buffer Numbers { uint v[]; };
)" + more +
         R"(
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(push_constant) uniform Push { Numbers numbers; uint first; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] += numbers.v[first + i] * 10u;
  numbers.v[first + i] += 1u;
})";
}

struct Push {
  std::uint64_t numbers;
  Uint first = 0, padding = 0;
};

}  // namespace

TEST_CASE("a structure may hold an array of pointers to itself") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { Node next[2]; uint value; };
layout(set = 0, binding = 0) buffer Out { uint o; };
layout(push_constant) uniform Push { Node root; };
void main() { o = root.next[1].value * 10u + root.next[0].next[1].value; }
)");
  struct Node {
    std::uint64_t next[2];
    std::uint64_t value;
  };
  std::vector<Node> nodes(3);
  const std::uint64_t first = shader.address_of(nodes);
  nodes[0] = {{first, first + 2 * sizeof(Node)}, 1};
  nodes[2].value = 7;
  std::vector<std::uint32_t> out(1);
  CHECK(shader.bind(0, out).push(first).dispatch({1}).faults == 0);
  CHECK(out[0] == 77);
}

TEST_CASE("an address consists of the memory's number and a byte") {
  AddressSpace space;
  std::vector<Uint> a(4), b(8);
  const std::uint64_t of_a = space.add(a), of_b = space.add(b);
  CHECK(of_a == std::uint64_t{1} << 40);
  CHECK(of_b == std::uint64_t{2} << 40);
  CHECK(space.find(of_a).data == reinterpret_cast<std::byte*>(a.data()));
  CHECK(space.find(of_a).size == 16);
  CHECK(space.find(of_b + 1000).data == reinterpret_cast<std::byte*>(b.data()));
  CHECK(space.find(0).data == nullptr);
  CHECK(space.find(of_b + of_a).data == nullptr);
  CHECK(space.find(~std::uint64_t{0}).data == nullptr);
  AddressSpace other;
  CHECK(other.add(b) == of_a);
}

TEST_CASE("an address of removed memory refers to no object") {
  AddressSpace space;
  std::vector<Uint> a(4), b(4);
  const std::uint64_t of_a = space.add(a), of_b = space.add(b);
  space.remove(of_a);
  CHECK(space.find(of_a).data == nullptr);
  CHECK(space.find(of_b).size == 16);
  CHECK(space.add(a) == of_b + of_a);  // a number of its own
  CHECK_THROWS_WITH(space.remove(of_a),
                    "0x10000000000 is not the address of memory's first byte: "
                    "nothing is removed");
  CHECK_THROWS_AS(space.remove(of_b + 4), Error);
  CHECK_THROWS_AS(space.remove(0), Error);
  std::vector<Uint> none;
  const std::uint64_t of_none = space.add(none);
  CHECK(space.find(of_none).size == 0);
  space.remove(of_none);
}

TEST_CASE("the numbers of removed memory are reused, oldest first, after a million") {
  AddressSpace space;
  std::vector<std::byte> bytes(16);
  const std::uint64_t first = space.add(bytes), second = space.add(bytes);
  space.remove(second);
  space.remove(first);
  std::uint64_t last = 0;
  for (Uint k = 3; k < 1u << 20; ++k) last = space.add(bytes);
  CHECK(last == (std::uint64_t{1} << 60) - (std::uint64_t{1} << 40));
  CHECK(space.add(bytes) == second);
  CHECK(space.add(bytes) == first);
  CHECK(space.add(bytes) == std::uint64_t{1} << 60);
}

TEST_CASE("memory of a tebibyte and more has no address") {
  AddressSpace space;
  std::byte byte{};
  CHECK_THROWS_WITH(space.add(std::span(&byte, std::size_t{1} << 40)),
                    Catch::Contains("memory of 1099511627776 bytes is too large"));
}

TEST_CASE("memory is added while other threads look up addresses") {
  AddressSpace space;
  std::vector<Uint> mine(16);
  const std::uint64_t address = space.add(mine);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      std::vector<Uint> other(4);
      while (!stop) {
        const std::uint64_t at = space.add(other);
        if (space.find(at).data != reinterpret_cast<std::byte*>(other.data())) ++wrong;
        space.remove(at);
      }
    });
  for (int k = 0; k < 100000; ++k) {
    const AddressSpace::Object found = space.find(address);
    if (found.data != reinterpret_cast<std::byte*>(mine.data()) || found.size != 64) ++wrong;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("an address taken in one shader is valid in another") {
  auto one = Shader::from_glsl(adds_at_address(""));
  auto other = Shader::from_glsl(adds_at_address(
      "layout(set = 1, binding = 0) buffer A { uint a[]; };\n"
      "layout(set = 1, binding = 1) buffer B { uint b[]; } many[3];\nshared uint s[4];"));
  for (const int size : test::few_sizes) {
    std::vector<Uint> numbers(40), out(32);
    for (Uint k = 0; k < 40; ++k) numbers[k] = k;
    const Push push{one.address_of(numbers), 8};
    CHECK(one.address_of(numbers) == push.numbers);
    const DispatchSettings settings{.subgroup_size = size};
    CHECK(one.bind(0, out).push(push).dispatch({1}, settings).faults == 0);
    CHECK(other.bind(0, out).push(push).dispatch({1}, settings).faults == 0);
    INFO("subgroup size " << size);
    for (Uint i = 0; i < 32; ++i) {
      REQUIRE(out[i] == (i + 8) * 10 + (i + 9) * 10);
      REQUIRE(numbers[i + 8] == i + 10);
    }
  }
}

namespace {

/// Where lanes read and write, by device address or elsewhere: one list of places an event.
struct Places : Observer {
  void on(const Event& event) override {
    if (event.kind == Event::Kind::read) reads.push_back(event.access.byte);
    if (event.kind == Event::Kind::write) writes.push_back(event.access.byte);
  }
  std::vector<LaneBytes> reads, writes;
};

}  // namespace

TEST_CASE("an observer receives accesses by address as bytes of their object") {
  auto shader = Shader::from_glsl(adds_at_address(""));
  std::vector<Uint> numbers(40, 3), out(32);
  const std::uint64_t address = shader.address_of(numbers);
  Places places;
  Chooser chooser = Chooser::rejoin_all();
  const Convergence convergence{.chooser = &chooser, .observer = &places};
  const auto run = shader.bind(0, out)
                       .push(Push{address, 8})
                       .dispatch({1}, {.subgroup_size = 32, .convergence = &convergence});
  CHECK(run.faults == 0);
  for (Uint i = 0; i < 32; ++i) {
    REQUIRE(out[i] == 30);
    REQUIRE(numbers[i + 8] == 4);
  }
  // Of the results, of the number, and of the number again; then the result's and the number's.
  std::vector<std::uint64_t> at_result(32), at_number(32);
  for (Uint i = 0; i < 32; ++i) {
    at_result[i] = 4 * i;
    at_number[i] = 4 * (i + 8);
  }
  REQUIRE(places.reads.size() == 3);
  const auto reads_at = [&](const std::vector<std::uint64_t>& bytes) {
    return std::count(places.reads.begin(), places.reads.end(), LaneBytes(bytes));
  };
  CHECK(reads_at(at_number) == 2);
  CHECK(reads_at(at_result) == 1);
  REQUIRE(places.writes.size() == 2);
  CHECK(places.writes[0] == at_result);
  CHECK(places.writes[1] == at_number);
}

TEST_CASE("addresses of a destroyed shader refer to no buffer") {
  auto shader = Shader::from_glsl(adds_at_address(""));
  std::vector<Uint> numbers(32, 5), out(32, 1);
  std::uint64_t address = 0;
  {
    auto gone = Shader::from_glsl(adds_at_address(""));
    address = gone.address_of(numbers);
  }
  const auto run =
      shader.bind(0, out).push(Push{address}).dispatch({1}, {.subgroup_size = 8, .threads = 1});
  CHECK(run.faults == 3 * 32);
  CHECK(run.findings.first().access.object.kind == MemoryObject::Kind::none);
  CHECK(out == std::vector<Uint>(32, 1));
  CHECK(numbers == std::vector<Uint>(32, 5));
}

TEST_CASE("an access by address past the end of an object is a fault at any distance") {
  auto shader = Shader::from_glsl(adds_at_address(""));
  std::vector<Uint> first(20, 3), second(64, 7), out(32);
  const std::uint64_t address = shader.address_of(first);
  shader.address_of(second);
  auto run =
      shader.bind(0, out).push(Push{address}).dispatch({1}, {.subgroup_size = 32, .threads = 1});
  CHECK(run.faults == 3 * 12);
  CHECK(run.findings.first().access.object ==
        MemoryObject{.kind = MemoryObject::Kind::buffer, .address = address});
  CHECK(run.findings.first().access.index == 80);
  CHECK(run.findings.first().access.size == 80);
  CHECK(run.findings.first().lanes.first() == 20);
  for (Uint i = 0; i < 32; ++i) REQUIRE(out[i] == (i < 20 ? 30 : 0));
  // 2^31 elements of 512 bytes are as far away as the next object.
  auto far = Shader::from_glsl(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
struct Row { uint v[128]; };
layout(buffer_reference, std430) buffer Rows { Row rows[]; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(push_constant) uniform Push { Rows at; uint first; };
void main() {
  uint i = gl_LocalInvocationIndex;
  at.rows[first * i].v[i] = 9u;
  o[i] = at.rows[first * i].v[0];
})");
  std::fill(first.begin(), first.end(), 3);
  run = far.bind(0, out).push(Push{address, 1u << 31}).dispatch({1}, {.subgroup_size = 8});
  CHECK(run.faults == 2 * 4);  // odd lanes
  for (Uint i = 0; i < 8; ++i) REQUIRE(out[i] == (i % 2 == 0 ? first[0] : 0));
  CHECK(std::count(second.begin(), second.end(), 7) == 64);
}

TEST_CASE("an index far past the end of a buffer does not reach the next buffer of its array") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
struct Row { uint v[128]; };
layout(set = 0, binding = 0) buffer Many { Row rows[]; } many[2];
layout(push_constant) uniform Push { uint first; };
void main() { many[nonuniformEXT(gl_LocalInvocationIndex % 1u)].rows[first].v[0] = 9u; })");
  std::vector<Uint> a(128, 1), b(128, 1);
  shader.bind_bytes(0, 0, 0, std::as_writable_bytes(std::span(a)));
  shader.bind_bytes(0, 0, 1, std::as_writable_bytes(std::span(b)));
  const auto run = shader.push(Uint{1} << 31).dispatch({1}, {.subgroup_size = 8, .threads = 1});
  CHECK(run.faults == 8);
  CHECK(std::count(b.begin(), b.end(), 1) == 128);
  CHECK(std::count(a.begin(), a.end(), 1) == 128);
}

TEST_CASE("a resource pointer is never a device address, nor a device address a resource pointer") {
  using namespace lockstep::pointers;
  STATIC_REQUIRE(is_resource_pointer(resource_pointer(0)));
  STATIC_REQUIRE_FALSE(is_resource_pointer(device_address(pointer_number_mask, 5)));
  STATIC_REQUIRE(pointer_number(resource_pointer(65535, 7)) == 65535);
  STATIC_REQUIRE(pointer_byte(resource_pointer(65535, 7)) == 7);
  STATIC_REQUIRE(moved_pointer(device_address(3, 8), ~std::uint64_t{3}) == device_address(3, 4));
  STATIC_REQUIRE(moved_pointer(device_address(3, 8), ~std::uint64_t{8}) ==
                 device_address(3, pointer_byte_mask));
  STATIC_REQUIRE(moved_pointer(resource_pointer(3), std::uint64_t{1} << 40) ==
                 resource_pointer(3, pointer_byte_mask));
  AddressSpace space;
  std::byte byte{};
  space.add(std::span(&byte, 1));
  CHECK(space.find(resource_pointer(1)).data == nullptr);
}
