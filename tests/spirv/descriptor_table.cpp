#include <lockstep/spirv/descriptor_table.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace lockstep;

TEST_CASE("a descriptor table has sets of its own and shared ones") {
  std::vector<std::uint32_t> a(1), b(2), c(3);
  const auto bytes_at = [](const DescriptorTable& table, std::uint32_t set, std::uint32_t binding) {
    const Descriptor* found = table.find(set, binding);
    return found != nullptr ? found->bytes.size() : 0;
  };
  DescriptorSet elsewhere;
  elsewhere.bind(0, b);
  DescriptorTable table;
  table.bind(4, a).use(2, elsewhere);
  CHECK(bytes_at(table, 0, 4) == 4);
  CHECK(bytes_at(table, 2, 0) == 8);
  CHECK(bytes_at(table, 2, 1) == 0);
  CHECK(bytes_at(table, 1, 0) == 0);
  // A set from elsewhere may change after it was taken.
  elsewhere.bind(0, c).bind(1, a);
  CHECK(bytes_at(table, 2, 0) == 12);
  CHECK(bytes_at(table, 2, 1) == 4);
  // A copy refers to the same.
  DescriptorTable copy = table;
  copy.bind(4, c);
  CHECK(bytes_at(copy, 0, 4) == 12);
  CHECK(bytes_at(table, 0, 4) == 4);
  elsewhere.bind(0, b);
  CHECK(bytes_at(copy, 2, 0) == 8);
  // The table's own set takes the place of the other one.
  table.bind(2, 1, c);
  CHECK(bytes_at(table, 2, 0) == 0);
  CHECK(bytes_at(table, 2, 1) == 12);
  CHECK(elsewhere.find(0)->bytes.size() == 8);
}

TEST_CASE("dynamic offsets are those of the last use of a set") {
  DescriptorTable table;
  DescriptorSet set;
  table.use(1, set).offset(1, 3, 256).offset(1, 3, 512, 2);
  CHECK(table.offset_of(1, 3) == 256);
  CHECK(table.offset_of(1, 3, 1) == 0);
  CHECK(table.offset_of(1, 3, 2) == 512);
  CHECK(table.offset_of(0, 3) == 0);
  table.use(1, set).offset(1, 3, 64);
  CHECK(table.offset_of(1, 3) == 64);
  CHECK(table.offset_of(1, 3, 2) == 0);
}
