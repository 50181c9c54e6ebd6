#pragma once

#include <string>

#include <lockstep/trace/trace.hpp>

/// \file
/// A trace as files for other programs.

namespace lockstep::render {

/// An event in each line, as a JSON object: kind, file, line, workgroup, subgroup, depth and tangles, and what its kind
/// has besides: the lanes that wait or access, arrivals and why they rejoined, the trip of a loop, the built-in with
/// its operands and result lane by lane, the memory that is accessed, the order of memory. Sets of lanes are "0-3,7".
std::string to_ndjson(const trace::Trace& trace);

/// For Perfetto and chrome://tracing: each subgroup is a process, each lane a thread, and each step takes a
/// microsecond. A lane's slices are the lines that it executes and where it waits; the counter "active lanes" shows
/// how many execute, and a merge is an instant. A slice has what its lane writes to the variables that were recorded.
std::string to_chrome_trace(const trace::Trace& trace);

}  // namespace lockstep::render
