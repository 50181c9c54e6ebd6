#include "amber/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/xml.hpp"

namespace lockstep::amber {
namespace {

/// Messages may hold bytes of shaders that are not UTF-8.
std::string escaped(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (c != '\n' && (c < ' ' || c > '~')) c = '?';
  }
  return io::xml_text(printable);
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

std::string case_of(const Outcome& outcome, std::string_view class_name) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                 class_name, escaped(outcome.path), outcome.seconds);
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

std::string junit(std::span<const Outcome> outcomes, std::string_view class_name) {
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
  for (const Outcome& outcome : outcomes) text += case_of(outcome, class_name);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace lockstep::amber
