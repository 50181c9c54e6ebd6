#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/finding.hpp>

#include "driver/pipeline.hpp"

namespace lockstep::driver {

/// Where in a program's work a dispatch is, for messages.
class DispatchPlace {
 public:
  /// The numbers count the objects of the device, and the dispatches of the instance, from 1.
  DispatchPlace(const PipelineHandle& pipeline, std::uint32_t dispatch,
                const std::vector<std::string>& labels);

  /// module 2 "blur", pipeline 3 "name", dispatch 14, entry main, 'label'.
  const std::string& text() const { return text_; }
  /// The finding as a diagnostic with the place, and the instruction if the module has no lines of its source. The
  /// module is written to its file. Advice is that of the driver.
  std::string diagnostic(const Finding& finding) const;
  /// The same for a finding that loses the device: without its rule.
  std::string reason(const Finding& finding) const;

 private:
  std::string with_place(const Finding& finding, std::string text) const;

  SharedPipeline pipeline_;
  std::string text_;
};

}  // namespace lockstep::driver
