#include "cli/help/help.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>

namespace lockstep::cli {
namespace {

constexpr std::size_t all_columns = 80, name_columns = 22;

/// The words of a text in lines of so many columns.
std::string in_lines(const std::string& text, std::size_t columns) {
  std::istringstream words(text);
  std::string lines;
  std::size_t used = 0;
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= columns;
    if (used != 0) lines += fits ? ' ' : '\n';
    used = (used != 0 && fits ? used + 1 : 0) + word.size();
    lines += word;
  }
  return lines;
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(name_columns); }

 private:
  std::string make_option_desc(const CLI::Option* option) const override {
    return in_lines(option->get_description(), all_columns - name_columns);
  }

  std::string make_subcommand(const CLI::App* app) const override {
    std::ostringstream text;
    CLI::detail::format_help(text, app->get_display_name(),
                             in_lines(app->get_description(), all_columns - name_columns),
                             name_columns);
    return text.str();
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    // Hidden options leave an empty line.
    if (const std::size_t at = text.find("\n\n\n"); at != std::string::npos) text.erase(at, 1);
    return text;
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string text = CLI::Formatter::make_usage(app, std::move(name));
    if (app->get_prefix_command()) text.insert(text.size() - 1, " PROGRAM [ARGUMENT...]");
    return text;
  }

  std::string make_footer(const CLI::App* app) const override {
    std::istringstream lines(app->get_footer());
    std::string text;
    for (std::string line; std::getline(lines, line);)
      text += (line.starts_with(' ') ? line : in_lines(line, all_columns)) + '\n';
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace lockstep::cli
