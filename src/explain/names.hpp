#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "explain/rows.hpp"

/// \file
/// What can be explained, by name.

namespace lockstep::explain {

/// All built-ins and topics.
std::vector<std::string> known_names();

/// The row of that name, also in another language. Throws Error for a name that is none, or that stands for several.
const Row& row_named(const std::string& name);

/// All built-ins with their extensions, and topics with what they are about.
nlohmann::ordered_json index_json();

}  // namespace lockstep::explain
