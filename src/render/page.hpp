#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <lockstep/exec/finding.hpp>
#include <lockstep/trace/trace.hpp>

/// \file
/// A trace as a web page.

namespace lockstep::render {

/// A buffer before and after the run.
struct Buffer {
  std::string title;
  std::vector<std::string> before, after;  ///< its first elements
  std::size_t more = 0;                    ///< elements that are left out
};

/// A page that shows the trace step by step, in one file that loads nothing: the source with the work of each line,
/// lanes and steps, and of the selected step the reconvergence stack, built-ins with their values, and accesses.
///
/// Requires      None.
/// Active lanes  As trace::draw: a letter and a colour for each tangle.
/// Errors        None: a source that cannot be read is left out.
/// Cost          Some 30 bytes a step. Values of built-ins and accesses are kept up to 3 MiB.
/// Spec          None.
/// Example       tests/render/page.cpp
std::string to_html(const trace::Trace& trace, std::span<const Finding> findings,
                    std::span<const Buffer> buffers);

}  // namespace lockstep::render
