#include <lockstep/exec/size3.hpp>

#include <catch2/catch.hpp>

using lockstep::Size3;

TEST_CASE("Size3: what is left out is 1, and equality looks at all three") {
  CHECK(Size3{5} == Size3{5, 1, 1});
  CHECK(Size3{5, 2} == Size3{5, 2, 1});
  CHECK_FALSE(Size3{5, 2, 3} == Size3{4, 2, 3});
  CHECK_FALSE(Size3{5, 2, 3} == Size3{5, 1, 3});
  CHECK_FALSE(Size3{5, 2, 3} == Size3{5, 2, 1});
}
