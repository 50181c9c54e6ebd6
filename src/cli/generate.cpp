#include "cli/generate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/help/command_pages.hpp"
#include "cli/help/completion.hpp"
#include "cli/help/manual.hpp"
#include "cli/words.hpp"
#include "lockstep/config.hpp"

namespace lockstep::cli {

Command generate_command(CLI::App& program) {
  auto what = std::make_shared<std::string>();
  CLI::App* app =
      program.add_subcommand("generate", "Print the manual page, or completion for a shell")
          ->group("");
  app->add_option("WHAT", *what)->required()->check(one_of({"man", "bash", "zsh", "fish"}));
  return {app, [what, &program] {
            const auto pages = command_pages(program);
            const std::string version = fmt::format("lockstep {}.{}.{}", LOCKSTEP_VERSION_MAJOR,
                                                    LOCKSTEP_VERSION_MINOR, LOCKSTEP_VERSION_PATCH);
            fmt::print("{}", *what == "man"    ? manual_page(pages, version)
                             : *what == "bash" ? bash_completion(pages)
                             : *what == "zsh"  ? zsh_completion(pages)
                                               : fish_completion(pages));
            return exit_fine;
          }};
}

}  // namespace lockstep::cli
