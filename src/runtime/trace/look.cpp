#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include <lockstep/trace/terminal.hpp>

namespace lockstep::trace {
namespace {

int columns_of_terminal() {
#ifdef TIOCGWINSZ  // a sandbox has no terminal
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  const char* columns = std::getenv("COLUMNS");
  const int number = columns == nullptr ? 0 : std::atoi(columns);
  return number > 0 ? number : 80;
}

bool shows_colour() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

}  // namespace

Look look_of_terminal() {
  return {.columns = columns_of_terminal(), .colour = shows_colour(), .stack = false};
}

}  // namespace lockstep::trace
