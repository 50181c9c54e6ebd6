#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/finding.hpp>
#include <lockstep/trace/trace.hpp>

#include "io/types.hpp"

/// \file
/// A trace as a web page.

namespace lockstep::render {

/// A buffer before and after the run.
struct Buffer {
  std::string title;
  std::vector<std::string> before, after;  ///< its first elements
  std::size_t more = 0;                    ///< elements that are left out
  std::size_t bytes = 4;                   ///< of an element
};

/// A buffer of numbers of one type as pages show it: the first 256.
Buffer shown_buffer(std::string title, io::Dtype type, std::span<const std::byte> before,
                    std::span<const std::byte> after);

/// What a page shows of one run.
struct Shown {
  const trace::Trace& trace;
  std::span<const Finding> findings = {};
  std::span<const Buffer> buffers = {};
  /// The texts of its sources by name; null: they are read from files.
  const std::map<std::string, std::string>* sources = nullptr;
};

/// Whether something was found at this line.
bool is_at(const Finding& finding, const SourceLocation& where);

/// A page that shows the trace step by step, in one file that loads nothing: the source with the work of each line,
/// lanes and steps, and of the selected step the reconvergence stack, variables, built-ins with their values, and accesses.
/// Another run of the same or of another program can stand beside it, with the first difference marked.
///
/// Requires      None.
/// Active lanes  As trace::draw: a letter and a colour for each tangle.
/// Errors        None: a source that cannot be read is left out.
/// Cost          Some 20 bytes a step, and less than 5 MiB: steps, and values of built-ins, accesses and variables, are left
///               out beyond that, and the page says so.
/// Spec          None.
/// Example       tests/render/page.cpp
std::string to_html(const Shown& run, const Shown* beside = nullptr);

/// The page as a server gives it: without a run, with a form for experiments, and with its style and scripts in
/// page.css and page.js beside it; its script then asks for runs (page/serve.js).
std::string server_page(std::string_view head);

}  // namespace lockstep::render
