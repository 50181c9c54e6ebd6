#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/trace/terminal.hpp>

/// \file
/// What built-ins have in common, each with an example that runs when it is asked for.

namespace lockstep::explain {

/// A table of what a run gave.
struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// A paragraph, the source that ran, or a table.
struct Block {
  std::string text, source;
  Table table = {};
};

struct Topic {
  std::string_view name;
  std::string_view what;         ///< in a few words
  std::vector<Block> (*tell)();  ///< runs its example
};

std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

/// The blocks as text.
std::string draw(const std::vector<Block>& blocks, const trace::Look& look);
/// The same for slides and documents.
std::string to_svg(const Topic& topic, const std::vector<Block>& blocks);
nlohmann::ordered_json to_json(const Topic& topic, const std::vector<Block>& blocks);

}  // namespace lockstep::explain
