#include "cli/interruption.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/outcome_json.hpp"

namespace lockstep::cli {
namespace {

// What the handler writes; it changes only while the handler is not installed.
std::string text, object;

void write_all(int to, const std::string& all) {
  for (std::size_t done = 0; done < all.size();) {
    const ssize_t count = write(to, all.data() + done, all.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void on_interrupt(int) {
  write_all(STDERR_FILENO, text);
  write_all(STDOUT_FILENO, object);
  _exit(exit_interrupted);
}

}  // namespace

Interruption::Interruption(const std::string& message, bool json) {
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  text = fmt::format("lockstep: {}\n", message);
  object = json ? failure_text(message, exit_interrupted) : "";
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  installed_ = sigaction(SIGINT, &action, nullptr) == 0;
}

Interruption::~Interruption() {
  if (installed_) sigaction(SIGINT, &before_, nullptr);
}

}  // namespace lockstep::cli
