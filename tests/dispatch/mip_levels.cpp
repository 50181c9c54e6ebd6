#include <lockstep/dispatch/mip_levels.hpp>

#include <catch2/catch.hpp>

using lockstep::MipLevels;
using lockstep::Size3;

TEST_CASE("MipLevels: each level is half as large, along as many axes as there are") {
  const MipLevels flat{{13, 6, 5}, 2, 4};
  CHECK(flat.extent(0) == Size3{13, 6, 5});
  CHECK(flat.extent(1) == Size3{6, 3, 5});
  CHECK(flat.extent(2) == Size3{3, 1, 5});
  CHECK(flat.extent(3) == Size3{1, 1, 5});
  CHECK(flat.extent(40) == Size3{1, 1, 5});
  CHECK(flat.before(0) == 0);
  CHECK(flat.before(2) == 13 * 6 * 5 + 6 * 3 * 5);
  CHECK(flat.texels() == (13 * 6 + 6 * 3 + 3 + 1) * 5);
  CHECK(flat.most() == 4);
  const MipLevels row{{4, 9, 1}, 1};
  CHECK(row.extent(2) == Size3{1, 9, 1});
  CHECK(row.most() == 3);
  CHECK(row.texels() == 36);
  const MipLevels volume{{2, 4, 16}, 3};
  CHECK(volume.extent(3) == Size3{1, 1, 2});
  CHECK(volume.most() == 5);
  CHECK(MipLevels{{0, 0, 0}}.most() == 1);
  CHECK(MipLevels{{0, 4, 4}}.extent(1) == Size3{0, 2, 4});
}
