#include <lockstep/subgroup/built_ins.hpp>

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace lockstep;

namespace {

constexpr int count_rows() {
  int rows = 0;
#define LOCKSTEP_ROW(...) ++rows;
  LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  return rows;
}

}  // namespace

TEST_CASE("the first row of each operation is marked, and no further one") {
  std::set<std::string> operations;
  const auto first = [&](const std::string& name, const std::string& operation) {
    INFO(name);
    CHECK(operations.insert(operation).second);
  };
  const auto further = [&](const std::string& name, const std::string& operation) {
    INFO(name);
    CHECK(operations.contains(operation));
  };
#define LOCKSTEP_FIRST(name, family, types, operation, ...) first(#name, #operation);
#define LOCKSTEP_FURTHER(name, family, types, operation, ...) further(#name, #operation);
  LOCKSTEP_BUILT_INS(LOCKSTEP_FIRST, LOCKSTEP_FURTHER)
#undef LOCKSTEP_FURTHER
#undef LOCKSTEP_FIRST
  CHECK(static_cast<int>(operations.size()) < count_rows());
}

TEST_CASE("a built-in has the family of its row") {
  using spec::Family, spec::Name;
  STATIC_REQUIRE(spec::family_of(Name::subgroupElect) == Family::basic);
  STATIC_REQUIRE(spec::family_of(Name::subgroupClusteredXor) == Family::clustered);
  STATIC_REQUIRE(spec::family_of(Name::allInvocationsEqual) == Family::core_vote);
  CHECK(static_cast<int>(Name::allInvocationsEqual) == count_rows() - 1);
}
