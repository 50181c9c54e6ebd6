#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "amber/outcome.hpp"
#include "cli/verify/one.hpp"

/// \file
/// The reports of `lockstep verify`.

namespace lockstep::cli {

/// A row of cells, padded to the widest of all rows except in the last column.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t row);
/// A table for the terminal, with the reasons below each row and totals at the end.
std::string to_table(const std::vector<Verified>& all);
/// An object with entries and counts.
nlohmann::ordered_json to_json(const std::vector<Verified>& all);
/// JUnit's XML, with a test case for each subject, followed by others.
std::string to_junit(const std::vector<Verified>& all, std::vector<amber::Outcome> others = {});
/// A result with its logs, as one rank of mpirun sends it to another.
nlohmann::ordered_json to_message(const Verified& one);
/// The inverse, for a result of that subject.
Verified from_message(const nlohmann::ordered_json& message, const Subject& subject);
/// One SARIF log with each finding once.
nlohmann::ordered_json to_sarif(const std::vector<Verified>& all);

}  // namespace lockstep::cli
