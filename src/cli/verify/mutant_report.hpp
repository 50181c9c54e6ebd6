#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "amber/outcome.hpp"
#include "cli/verify/mutate.hpp"

/// \file
/// The report of `lockstep verify --mutate`.

namespace lockstep::cli {

/// A row for each entry, with the mutants below that nothing has noticed, and totals.
std::string mutant_table(const std::vector<Verified>& all, const std::vector<Mutated>& mutated);
/// Adds mutants to the entries of verify's JSON, and their counts.
void add_mutants(const std::vector<Mutated>& mutated, nlohmann::ordered_json& json);
/// A test case for each mutant, which passes if something has noticed it.
std::vector<amber::Outcome> mutant_cases(const std::vector<Verified>& all,
                                         const std::vector<Mutated>& mutated);
/// Adds a result for each mutant that nothing has noticed to verify's SARIF log.
void add_mutants_to_sarif(const std::vector<Verified>& all, const std::vector<Mutated>& mutated,
                          nlohmann::ordered_json& log);
/// Whether each mutant that counts was noticed.
bool all_noticed(const std::vector<Mutated>& mutated);

}  // namespace lockstep::cli
