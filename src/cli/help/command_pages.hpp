#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli {

/// An option or positional argument of a command, as --help has it.
struct OptionPage {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional argument, its name
  std::string value;               ///< what follows the name: "FILE"; empty for flags
  std::string description;
  std::vector<std::string> words;  ///< values that completion offers
  bool is_positional = false, is_path = false;
};

struct CommandPage {
  std::string name;   ///< "demo divergence"; empty for the program itself
  std::string usage;  ///< "lockstep run [OPTIONS] FILE..."
  std::string description, footer;
  std::vector<OptionPage> options;
  bool runs_program = false;  ///< what follows is a command line of its own
};

/// The program, then its commands in the order of --help, without hidden ones: what the manual page and completion in
/// shells are made of.
std::vector<CommandPage> command_pages(CLI::App& program);

}  // namespace lockstep::cli
