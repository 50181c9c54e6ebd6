#include <lockstep/testing/matchers.hpp>

#include <ostream>

namespace lockstep::matchers {
namespace {

std::string_view relation(Tolerance::Kind kind) {
  switch (kind) {
    case Tolerance::Kind::none:
      return "equal";
    case Tolerance::Kind::bits:
      return "have the bits of";
    case Tolerance::Kind::ulp:
      return "be within";
  }
  return "";
}

void describe(std::ostream& to, const LaneTable& expected, Tolerance tolerance, LaneSet active) {
  to << relation(tolerance.kind) << ' ';
  if (tolerance.kind == Tolerance::Kind::ulp) to << tolerance.ulp << " ulp of ";
  print(to, expected, {.active = active});
}

}  // namespace

void Expectation::DescribeTo(std::ostream* to) const {
  *to << "must ";
  describe(*to, expected_, tolerance_, active_);
}
void Expectation::DescribeNegationTo(std::ostream* to) const {
  *to << "must not ";
  describe(*to, expected_, tolerance_, active_);
}

std::string Expectation::toString() const { return "where " + to_string(last_); }

bool Expectation::matches(const LaneTable& got) const {
  last_ = compare(got, expected_, tolerance_, active_);
  return static_cast<bool>(last_);
}
bool Expectation::matches(const LaneTable& got, std::ostream* explanation) const {
  const bool matching = matches(got);
  if (explanation != nullptr) *explanation << "where " << to_string(last_);
  return matching;
}

}  // namespace lockstep::matchers
