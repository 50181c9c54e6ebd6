#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lockstep/exec/fault_log.hpp>

namespace lockstep::run {

/// A finding as JSON: rule, severity, message, file, line, origin (if known), workgroup, subgroup,
/// lanes, count and, for rules about memory, access.
nlohmann::ordered_json to_json(const Finding& finding);
/// All findings that a log holds.
nlohmann::ordered_json to_json(const FaultLog& log);

}  // namespace lockstep::run
