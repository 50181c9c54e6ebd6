#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace lockstep::cli {

/// The form of --help: at most 80 columns wide. Descriptions and footers are broken between words; a footer's line that
/// is indented, as a command, stays as it is.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace lockstep::cli
