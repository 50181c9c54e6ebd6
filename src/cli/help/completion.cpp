#include "cli/help/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace lockstep::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

/// In single quotes, for each of these shells.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Up to the first comma, colon, semicolon or bracket: menus have a line for each.
std::string in_short(const std::string& description) {
  const std::size_t end = description.find_first_of(",:;(");
  std::string text = description.substr(0, end);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::string> option_names(const CommandPage& page) {
  std::vector<std::string> names;
  for (const OptionPage& option : page.options)
    if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// Commands below one: "divergence" of demo, all but that of the program.
std::vector<const CommandPage*> inner(const std::vector<CommandPage>& pages,
                                      const CommandPage& of) {
  const std::string prefix = of.name.empty() ? "" : of.name + " ";
  std::vector<const CommandPage*> found;
  for (const CommandPage& page : pages) {
    if (page.name.size() > prefix.size() && page.name.starts_with(prefix) &&
        page.name.find(' ', prefix.size()) == std::string::npos)
      found.push_back(&page);
  }
  return found;
}

std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

/// What may stand where no option is: commands, values of the positional argument, files.
struct Operands {
  Operands(const std::vector<CommandPage>& pages, const CommandPage& page) {
    for (const CommandPage* command : inner(pages, page)) words.push_back(last_word(command->name));
    for (const OptionPage& option : page.options) {
      if (!option.is_positional) continue;
      words.insert(words.end(), option.words.begin(), option.words.end());
      paths = paths || option.is_path;
    }
  }

  std::vector<std::string> words;
  bool paths = false;
};

// ---- bash ----

/// A case for each option that takes a value.
std::string bash_values(const CommandPage& page) {
  std::string cases;
  for (const OptionPage& option : page.options) {
    if (option.is_positional || option.value.empty()) continue;
    std::string what = option.is_path ? "files=1" : ":";
    if (!option.words.empty()) what = "words=" + in_quotes(joined(option.words));
    cases += fmt::format("        {}) {} ;;\n", joined(option.names, " | "), what);
  }
  return cases;
}

std::string bash_command(const std::vector<CommandPage>& pages, const CommandPage& page) {
  const Operands operands(pages, page);
  return fmt::format(
      "    {})\n"
      "      case $before in\n"
      "{}"
      "        *) options={} words={} files={} ;;\n"
      "      esac ;;\n",
      in_quotes(page.name), bash_values(page), in_quotes(joined(option_names(page))),
      in_quotes(joined(operands.words)), operands.paths ? "1" : "");
}

// ---- zsh ----

/// As _arguments wants a description.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : in_short(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_value(const OptionPage& option) {
  if (option.words.empty()) return option.is_path ? "_files" : " ";
  return fmt::format("({})", joined(option.words));
}

std::string zsh_options(const CommandPage& page) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (option.is_positional) continue;
    for (const std::string& name : option.names) {
      const std::string value =
          option.value.empty() ? "" : fmt::format(":value:{}", zsh_value(option));
      text += fmt::format(
          "        {} \\\n",
          in_quotes(fmt::format("*{}[{}]{}", name, zsh_text(option.description), value)));
    }
  }
  return text;
}

/// What follows options. The first word may be the name of a command below, the others have files among them.
std::string zsh_command(const std::vector<CommandPage>& pages, const CommandPage& page) {
  const Operands operands(pages, page);
  std::string rest = " ";
  if (page.runs_program)
    rest = "_normal";
  else if (!operands.words.empty() && operands.paths)
    rest = fmt::format("_alternative \"words:word:({})\" \"files:file:_files\"",
                       joined(operands.words));
  else if (!operands.words.empty())
    rest = fmt::format("({})", joined(operands.words));
  else if (operands.paths)
    rest = "_files";
  return fmt::format("    {})\n      _arguments \\\n{}        {} ;;\n", in_quotes(page.name),
                     zsh_options(page), in_quotes("*:operand:" + rest));
}

// ---- fish ----

std::string fish_condition(const std::vector<CommandPage>& pages, const CommandPage& page) {
  if (page.name.empty()) return "__fish_use_subcommand";
  std::string condition = "__fish_seen_subcommand_from " + page.name;
  if (const std::size_t blank = page.name.find(' '); blank != std::string::npos)
    condition = fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}",
                            page.name.substr(0, blank), page.name.substr(blank + 1));
  for (const CommandPage* command : inner(pages, page))
    condition += "; and not __fish_seen_subcommand_from " + last_word(command->name);
  return in_quotes(condition);
}

std::string fish_option(const std::string& when, const OptionPage& option) {
  std::string text = "complete -c lockstep -n " + when;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) text += option.is_path ? " -r -F" : " -x";
  if (!option.words.empty()) text += " -a " + in_quotes(joined(option.words));
  return text + " -d " + in_quotes(in_short(option.description)) + "\n";
}

std::string fish_command(const std::vector<CommandPage>& pages, const CommandPage& page) {
  const std::string when = fish_condition(pages, page);
  std::string text;
  for (const CommandPage* command : inner(pages, page))
    text += fmt::format("complete -c lockstep -n {} -f -a {} -d {}\n", when,
                        last_word(command->name), in_quotes(in_short(command->description)));
  for (const OptionPage& option : page.options) {
    if (!option.is_positional)
      text += fish_option(when, option);
    else if (!option.words.empty())
      text += fmt::format("complete -c lockstep -n {} -f -a {}\n", when,
                          in_quotes(joined(option.words)));
  }
  if (!Operands(pages, page).paths && !page.runs_program)
    text += fmt::format("complete -c lockstep -n {} -f\n", when);
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandPage>& pages) {
  std::vector<std::string> names;
  std::string commands;
  for (const CommandPage& page : pages) {
    if (!page.name.empty()) names.push_back(in_quotes(page.name));
    commands += bash_command(pages, page);
  }
  std::string of_programs;
  for (const CommandPage& page : pages)
    if (page.runs_program)
      of_programs += fmt::format("{}{}", of_programs.empty() ? "" : " | ", in_quotes(page.name));
  return fmt::format(
      R"(# Completes command lines of lockstep in bash.
_lockstep() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' options='' words='' files='' k
  # The command is the leading words that name one.
  for ((k = 1; k < COMP_CWORD; ++k)); do
    case "${{command:+$command }}${{COMP_WORDS[k]}}" in
      {}) command="${{command:+$command }}${{COMP_WORDS[k]}}" ;;
    esac
  done
  case $command in
{}  esac
  # In --buffer 0=FILE.
  [ "$before" != = ] || options='' words='' files=1
  [ "$word" != = ] || word='' options='' words='' files=1
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
      case $command in
        {}) mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -c -- "$word") ;;
      esac
      if [ -n "$files" ]; then
        compopt -o filenames 2> /dev/null
        mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$word")
      fi ;;
  esac
}}
complete -F _lockstep lockstep
)",
      joined(names, " | "), commands, of_programs);
}

std::string zsh_completion(const std::vector<CommandPage>& pages) {
  std::vector<std::string> names;
  std::string commands;
  for (const CommandPage& page : pages) {
    if (!page.name.empty()) names.push_back(in_quotes(page.name));
    commands += zsh_command(pages, page);
  }
  return fmt::format(
      R"(#compdef lockstep
# Completes command lines of lockstep in zsh.
_lockstep() {{
  local command= k first=1
  # The command is the leading words that name one.
  for ((k = 2; k < CURRENT; ++k)); do
    case "${{command:+$command }}${{words[k]}}" in
      ({}) command="${{command:+$command }}${{words[k]}}" first=$k ;;
    esac
  done
  # _arguments sees the command as the first word.
  shift $((first - 1)) words
  (( CURRENT -= first - 1 ))
  case $command in
{}  esac
}}
_lockstep "$@"
)",
      joined(names, " | "), commands);
}

std::string fish_completion(const std::vector<CommandPage>& pages) {
  std::string text = "# Completes command lines of lockstep in fish.\n";
  for (const CommandPage& page : pages) text += fish_command(pages, page);
  return text;
}

}  // namespace lockstep::cli
