#include "cli/trace_files.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "npy/npy.hpp"
#include "render/compare.hpp"
#include "render/files.hpp"
#include "render/page.hpp"
#include "render/svg.hpp"
#include "run/files.hpp"

namespace lockstep::cli {
namespace {

/// Both runs, if there are two, and where they differ.
std::string text_of(const trace::Trace& trace, const trace::Trace* beside,
                    const trace::Look& look) {
  std::string text = trace.text(look);
  if (beside == nullptr) return text;
  return text + "\nbeside:\n" + beside->text(look) + "\n" + differences_of(trace, *beside);
}

}  // namespace

std::string differences_of(const trace::Trace& first, const trace::Trace& second) {
  std::string text;
  const std::size_t count = std::min(first.subgroups().size(), second.subgroups().size());
  for (std::size_t k = 0; k < count; ++k) {
    const trace::SubgroupTrace &a = first.subgroups()[k], &b = second.subgroups()[k];
    if (count > 1) text += fmt::format("subgroup {}\n", a.subgroup);
    text += to_string(render::compare(first, a, second, b), first.timeline(a), second.timeline(b)) +
            "\n";
  }
  return text;
}

void check_trace_file(const std::string& path, std::string_view option) {
  for (const std::string_view known : {".html", ".svg", ".txt", ".json", ".ndjson"})
    if (path.ends_with(known)) return npy::check_writable(path);
  throw UsageError(
      fmt::format("{} {}: its name says what is written, and must end with .html (a page), .svg (a "
                  "figure), .txt "
                  "(the drawing), .json (for "
                  "Perfetto and chrome://tracing) or .ndjson (an event in each line)",
                  option, path));
}

void write_trace(const PageRun& run, const PageRun* beside, const std::string& path,
                 const trace::Look& look) {
  const trace::Trace& trace = run.run().trace;
  const trace::Trace* other = beside != nullptr ? &beside->run().trace : nullptr;
  if (path.ends_with(".html")) {
    const render::Shown second = (beside != nullptr ? *beside : run).shown();
    lockstep::run::write_text(path,
                              render::to_html(run.shown(), beside != nullptr ? &second : nullptr));
  } else if (path.ends_with(".svg")) {
    const render::Svg figure = render::to_svg(trace, other);
    lockstep::run::write_text(path, figure.text);
    if (!figure.shown.empty())
      fmt::print(stderr, "note: {} has {}; write a page (.html) for more\n", path, figure.shown);
  } else if (path.ends_with(".ndjson")) {
    lockstep::run::write_text(path, render::to_ndjson(trace, other));
  } else if (path.ends_with(".json")) {
    lockstep::run::write_text(path, render::to_chrome_trace(trace, other));
  } else {
    lockstep::run::write_text(path, text_of(trace, other, look));
  }
}

}  // namespace lockstep::cli
