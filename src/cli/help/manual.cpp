#include "cli/help/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <sstream>

namespace lockstep::cli {
namespace {

/// Text as roff takes it: hyphens stay ASCII, so that options can be searched for and copied.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n'))
      roff += fmt::format("\\&{}", c);
    else
      roff += c;
  }
  return roff;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }

/// The names with the value after the last one.
std::string heading(const OptionPage& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    names.push_back(option.is_positional ? fmt::format("\\fI{}\\fR", escaped(name)) : bold(name));
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", escaped(option.value));
  return text;
}

/// Descriptions are phrases in --help, and sentences here.
std::string sentence(const std::string& text) {
  return text.empty() || text.ends_with('.') || text.ends_with('?') ? text : text + ".";
}

/// Each line is a paragraph; indented ones are shown as they are.
std::string footer_text(const std::string& footer) {
  std::istringstream lines(footer);
  std::string text;
  bool verbatim = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with(' ') != verbatim) {
      verbatim = !verbatim;
      text += verbatim ? ".PP\n.EX\n" : ".EE\n";
    }
    if (!verbatim) text += ".PP\n";
    text += escaped(line) + "\n";
  }
  return verbatim ? text + ".EE\n" : text;
}

std::string options_text(const CommandPage& page) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (!page.name.empty() && option.names.back() == "--help") continue;  // the same everywhere
    text += fmt::format(".TP\n{}\n{}\n", heading(option), escaped(sentence(option.description)));
  }
  return text;
}

std::string command_text(const CommandPage& page) {
  return fmt::format(".SS {}\n{}\n{}{}", escaped(page.usage), escaped(sentence(page.description)),
                     options_text(page), footer_text(page.footer));
}

/// "runs kernels", as whatis(1) lists it.
std::string after_name(std::string text) {
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

constexpr const char* later_sections = R"(.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
A kernel, a check or an expectation failed.
.TP
.B 2
Wrong usage or input.
.TP
.B 3
No script can run on this device.
.TP
.B 130
Interrupted by Ctrl\-C.
.SH ENVIRONMENT
.TP
.B LOCKSTEP_NATIVE
Machine code for shaders:
.BR avx512 ,
.BR avx2 ,
.B calls
or
.BR off .
By default the best that the processor runs.
.TP
.B LOCKSTEP_CACHE
.B off
disables the cache of compiled shaders.
.TP
.B XDG_CACHE_HOME
Where the cache is, in a folder lockstep; by default ~/.cache.
.TP
.B NO_COLOR
Disables colors.
.SH FILES
.TP
.I share/lockstep/docs/lessons
The shaders of the lessons. Commands find them as docs/lessons/NAME from any folder.
.TP
.I share/lockstep/kernels
The kernels, in C++ and GLSL. Commands find the latter as kernels/NAME.
.TP
.I share/lockstep/lockstep_vulkan.json
The manifest of the Vulkan driver, for VK_DRIVER_FILES.
.TP
.I share/doc/lockstep
More documentation.
.SH SEE ALSO
.BR vulkaninfo (1),
.BR glslangValidator (1)
)";

}  // namespace

std::string manual_page(const std::vector<CommandPage>& pages, std::string_view version) {
  const CommandPage& program = pages.front();
  std::string text = fmt::format(
      ".TH LOCKSTEP 1 \"\" \"{}\" \"User Commands\"\n.nh\n.ad l\n"
      ".SH NAME\nlockstep \\- {}\n"
      ".SH SYNOPSIS\n.B lockstep\n.I COMMAND\n[\\fIOPTION\\fR...]\n"
      ".SH DESCRIPTION\n{}\n"
      ".SH OPTIONS\n{}"
      ".SH COMMANDS\n",
      version, escaped(after_name(program.description)), escaped(sentence(program.description)),
      options_text(program));
  for (std::size_t k = 1; k < pages.size(); ++k) text += command_text(pages[k]);
  return text + later_sections;
}

}  // namespace lockstep::cli
