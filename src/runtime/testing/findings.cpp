#include <lockstep/testing/findings.hpp>

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

namespace lockstep {

bool FindingsMatcher::match(const FaultLog& findings) const {
  if (!rule_) return findings.count() == 0;
  return std::ranges::any_of(findings.findings(), [&](const Finding& f) {
    return f.rule == lockstep::to_string(*rule_) && (line_ == 0 || f.where.line == line_);
  });
}

// Catch2 prints it after the findings, GoogleTest after "Expected: " and before them.
std::string FindingsMatcher::toString() const {
  if (!rule_) return "should have no findings";
  const std::string_view rule = lockstep::to_string(*rule_);
  return line_ == 0 ? fmt::format("should have a finding of the rule {}", rule)
                    : fmt::format("should have a finding of the rule {} in line {}", rule, line_);
}
void FindingsMatcher::DescribeTo(std::ostream* to) const {
  *to << toString().replace(0, std::string_view("should have").size(), "has");
}
void FindingsMatcher::DescribeNegationTo(std::ostream* to) const {
  *to << "not: ";
  DescribeTo(to);
}

}  // namespace lockstep
