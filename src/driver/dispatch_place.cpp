#include "driver/dispatch_place.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/checks.hpp>

#include "driver/failure.hpp"
#include "report/findings.hpp"

namespace lockstep::driver {
namespace {

/// The message, with options of the driver that the engine does not know.
std::string with_advice_of_driver(const Finding& finding) {
  std::string text = finding.message;
  if (finding.rule == to_string(Check::barrier_divergence))
    text += "; --lenient barriers of lockstep vulkan (LOCKSTEP_LENIENT=barriers) tolerates it";
  return text;
}

}  // namespace

DispatchPlace::DispatchPlace(const PipelineHandle& pipeline, std::uint32_t dispatch,
                             const std::vector<std::string>& labels)
    : pipeline_(pipeline.compiled),
      text_(fmt::format("{}, {}, dispatch {}, entry {}", pipeline.module.text("module"),
                        pipeline.self.text("pipeline"), dispatch, pipeline_->key.options.entry)) {
  if (!labels.empty()) text_ += fmt::format(", '{}'", fmt::join(labels, "' > '"));
}

std::string DispatchPlace::with_place(const Finding& finding, std::string text) const {
  // Notes are lines of their own, after that of the finding.
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string place = " in " + text_;
  const ModuleFile& file = *pipeline_->file;
  if (file.has_source_lines())
    place += "; the module is " + file.path();
  else if (const std::string instruction = file.instruction(finding.where.line);
           finding.where.line > 0 && !instruction.empty())
    place += fmt::format(", instruction {}: {}", finding.where.line, instruction);
  try {
    file.write();
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return text.insert(end, place);
}

std::string DispatchPlace::diagnostic(const Finding& finding) const {
  Finding told = finding;
  told.message = with_advice_of_driver(finding);
  std::string text = report::to_diagnostic(told);
  if (text.ends_with('\n')) text.pop_back();
  return with_place(finding, std::move(text));
}

std::string DispatchPlace::reason(const Finding& finding) const {
  const SourceLocation& where = finding.where;
  return with_place(
      finding, fmt::format("{}:{}: {}", where.file, where.line, with_advice_of_driver(finding)));
}

}  // namespace lockstep::driver
