#include "amber/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::amber {
namespace {

// Printable ASCII, with XML's entities.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      default:
        result += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return result;
}

std::string_view element_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
      return "failure";
    case Verdict::skipped:
      return "skipped";
    default:
      return "error";
  }
}

std::string case_of(const Outcome& outcome) {
  std::string text = fmt::format("    <testcase classname=\"amber\" name=\"{}\" time=\"{:.3f}\"",
                                 escaped(outcome.path), outcome.seconds);
  if (outcome.verdict == Verdict::passed) return text + "/>\n";
  text += fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n",
                      element_of(outcome.verdict), escaped(outcome.message));
  return text;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "PASS";
    case Verdict::failed:
      return "FAIL";
    case Verdict::skipped:
      return "SKIP";
    case Verdict::error:
      break;
  }
  return "ERROR";
}

std::string junit(std::span<const Outcome> outcomes) {
  const auto count = [outcomes](Verdict verdict) {
    return std::ranges::count(outcomes, verdict, &Outcome::verdict);
  };
  double seconds = 0;
  for (const Outcome& outcome : outcomes) seconds += outcome.seconds;
  const std::string numbers = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", outcomes.size(),
      count(Verdict::failed), count(Verdict::error), count(Verdict::skipped), seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
      "  <testsuite name=\"lockstep\" {0}>\n",
      numbers);
  for (const Outcome& outcome : outcomes) text += case_of(outcome);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace lockstep::amber
