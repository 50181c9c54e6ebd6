#include "cli/help/command_pages.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string_view>

namespace lockstep::cli {
namespace {

/// Descriptions are broken for --help.
std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// The words that one_of and offering have left.
std::vector<std::string> words_of(CLI::Option& option) {
  std::vector<std::string> words;
  try {
    for (int k = 0;; ++k) {
      std::istringstream names(option.get_validator(k)->get_name());
      for (std::string word; names >> word;) words.push_back(word);
    }
  } catch (const CLI::OptionNotFound&) {  // the last one was before
    return words;
  }
}

bool names_path(const OptionPage& page) {
  constexpr std::array<std::string_view, 6> paths{"FILE", "FILE.html", "FOLDER",
                                                  "DIR",  "PATH",      "JOB"};
  const std::string& name = page.is_positional ? page.names[0] : page.value;
  return std::ranges::find(paths, name) != paths.end() || (page.is_positional && name == "WHAT");
}

OptionPage page_of(CLI::Option& option) {
  OptionPage page;
  page.is_positional = option.get_positional();
  if (page.is_positional) {
    page.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
    if (option.get_type_size() != 0) {
      page.value =
          option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    }
  }
  page.description = in_one_line(option.get_description());
  page.words = words_of(option);
  page.is_path = names_path(page);
  return page;
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  const auto formatter = std::dynamic_pointer_cast<CLI::Formatter>(app.get_formatter());
  std::string usage = formatter->make_usage(&app, name);
  usage.erase(0, std::string_view("Usage: ").size());
  while (usage.ends_with('\n')) usage.pop_back();
  return usage;
}

void add_pages(CLI::App& app, const std::string& prefix, std::vector<CommandPage>& pages) {
  CommandPage page;
  page.name = app.get_parent() == nullptr ? "" : prefix + app.get_name();
  page.usage = usage_of(app, page.name.empty() ? app.get_name() : "lockstep " + page.name);
  page.description = in_one_line(app.get_description());
  page.footer = app.get_footer();
  page.runs_program = app.get_prefix_command();
  const auto is_shown = [](const CLI::Option* option) { return !option->get_group().empty(); };
  for (CLI::Option* option : app.get_options(is_shown)) page.options.push_back(page_of(*option));
  const std::string inner = page.name.empty() ? "" : page.name + " ";
  pages.push_back(std::move(page));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    if (!command->get_group().empty()) add_pages(*command, inner, pages);
}

}  // namespace

std::vector<CommandPage> command_pages(CLI::App& program) {
  std::vector<CommandPage> pages;
  add_pages(program, "", pages);
  return pages;
}

}  // namespace lockstep::cli
