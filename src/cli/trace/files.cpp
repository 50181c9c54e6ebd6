#include "cli/trace/files.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "io/files.hpp"
#include "io/npy.hpp"
#include "render/compare.hpp"
#include "render/files.hpp"
#include "render/page.hpp"
#include "render/svg.hpp"

namespace lockstep::cli {
namespace {

/// A run and what was found in it.
std::string text_of(const PageRun& run, const trace::Look& look) {
  const std::string found = to_diagnostics(run.findings());
  return run.run().trace.text(look) + (found.empty() ? "" : "\n" + found);
}

/// Both runs, if there are two, and where they differ.
std::string text_of(const PageRun& run, const PageRun* beside, const trace::Look& look) {
  const std::string text = text_of(run, look);
  if (beside == nullptr) return text;
  return text + "\nbeside:\n" + text_of(*beside, look) + "\n" +
         differences_of(run.run().trace, beside->run().trace);
}

}  // namespace

std::string differences_of(const trace::Trace& first, const trace::Trace& second) {
  std::string text;
  const std::size_t count = std::min(first.subgroups().size(), second.subgroups().size());
  for (std::size_t k = 0; k < count; ++k) {
    const trace::SubgroupTrace &a = first.subgroups()[k], &b = second.subgroups()[k];
    const render::Comparison comparison = render::compare(first, a, second, b);
    if (comparison.different.empty()) continue;
    if (count > 1) text += fmt::format("subgroup {}\n", a.subgroup);
    text += to_string(comparison, first.timeline(a), second.timeline(b)) + "\n";
  }
  return text.empty() ? "no difference\n" : text;
}

void check_trace_file(const std::string& path, std::string_view option) {
  for (const std::string_view known : {".html", ".svg", ".txt", ".json", ".ndjson"})
    if (path.ends_with(known)) return npy::check_writable(path);
  throw UsageError(fmt::format(
      "{} {}: has an unknown file extension; use .html (a page), .svg (a figure), .txt (the "
      "drawing), .json (for Perfetto and chrome://tracing) or .ndjson (one event per line)",
      option, path));
}

void write_trace(const PageRun& run, const PageRun* beside, const std::string& path,
                 const trace::Look& look) {
  const render::Shown first = run.shown(), of_beside = (beside != nullptr ? *beside : run).shown();
  const render::Shown* second = beside != nullptr ? &of_beside : nullptr;
  if (path.ends_with(".html")) {
    lockstep::io::write_text(path, render::to_html(first, second));
  } else if (path.ends_with(".svg")) {
    const render::Svg figure = render::to_svg(first, second, look.steps);
    lockstep::io::write_text(path, figure.text);
    if (!figure.shown.empty())
      fmt::print(stderr, "note: {} has {}; write a page (.html) for more\n", path, figure.shown);
  } else if (path.ends_with(".ndjson")) {
    lockstep::io::write_text(path, render::to_ndjson(first, second));
  } else if (path.ends_with(".json")) {
    lockstep::io::write_text(path, render::to_chrome_trace(first, second));
  } else {
    lockstep::io::write_text(path, text_of(run, beside, look));
  }
}

}  // namespace lockstep::cli
