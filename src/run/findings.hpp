#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lockstep/exec/fault_log.hpp>

namespace lockstep::run {

/// A finding for programs: rule, severity, message, file, line, origin (if known), workgroup, subgroup,
/// lanes, count and (of rules about memory) access.
nlohmann::ordered_json to_json(const Finding& finding);
/// All findings that a log has kept.
nlohmann::ordered_json to_json(const FaultLog& log);

}  // namespace lockstep::run
