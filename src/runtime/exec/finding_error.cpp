#include <lockstep/exec/finding_error.hpp>

#include <utility>

#include <fmt/format.h>

namespace lockstep {

FindingError::FindingError(Finding finding)
    : Error(fmt::format("{}:{}: {}", finding.where.file, finding.where.line, finding.message)),
      finding_(std::move(finding)) {}

}  // namespace lockstep
