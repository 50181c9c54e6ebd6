#include <lockstep/exec/memory_object.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace lockstep;
using Kind = MemoryObject::Kind;

TEST_CASE("objects are told by name, or by what they are and where they are bound") {
  CHECK(to_string(MemoryObject{}) == "an address of no buffer");
  CHECK(to_string(MemoryObject{.kind = Kind::buffer, .binding = 3}) == "buffer 3");
  CHECK(to_string(MemoryObject{.kind = Kind::image, .set = 1, .binding = 3}) == "image 1.3");
  CHECK(to_string(MemoryObject{.kind = Kind::buffer, .set = 1, .binding = 3, .element = 2}) ==
        "buffer 1.3[2]");
  CHECK(to_string(MemoryObject{.kind = Kind::buffer, .binding = 3, .name = "In"}) == "In");
  CHECK(to_string(MemoryObject{.kind = Kind::buffer, .element = 4, .name = "In"}) == "In[4]");
  CHECK(to_string(MemoryObject{.kind = Kind::shared, .binding = 9}) == "shared array 9");
  CHECK(to_string(MemoryObject{.kind = Kind::push_constants}) == "push constants");
  CHECK(to_string(MemoryObject{.kind = Kind::buffer, .address = 0x1f00}) ==
        "memory at address 0x1f00");
}

TEST_CASE("a byte of an array is told by its element") {
  MemoryObject object{.kind = Kind::shared, .binding = 2};
  CHECK(byte_to_string(object, 64) == "byte 64 of shared array 2");
  object.stride = 4;
  CHECK(byte_to_string(object, 64) == "element 16 of shared array 2");
  CHECK(byte_to_string(object, 66) == "byte 2 of element 16 of shared array 2");
  object.name = "tile";
  CHECK(byte_to_string(object, 64) == "tile[16]");
  CHECK(byte_to_string(object, 67) == "byte 3 of tile[16]");
  object.kind = Kind::buffer;
  CHECK(byte_to_string(object, 64) == "element 16 of tile");
  object.name = "";
  CHECK(byte_to_string(object, 0) == "element 0 of buffer 2");
}

TEST_CASE("objects are the same if their names read the same") {
  const std::string in = "In";
  const MemoryObject a{.kind = Kind::buffer, .binding = 3, .name = "In"};
  MemoryObject b = a;
  b.name = in.c_str();
  CHECK(a == b);
  b.name = "Out";
  CHECK_FALSE(a == b);
  b = a;
  b.set = 1;
  CHECK_FALSE(a == b);
  b = a;
  b.address = 0x1f00;
  CHECK_FALSE(a == b);
}

TEST_CASE("kinds of access have names") {
  CHECK(to_string(AccessKind::read) == "read");
  CHECK(to_string(AccessKind::write) == "write");
  CHECK(to_string(AccessKind::atomic) == "atomic");
}
