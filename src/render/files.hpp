#pragma once

#include <string>

#include "render/page.hpp"

/// \file
/// A trace as files for other programs.

namespace lockstep::render {

/// An event in each line, as a JSON object: kind, file, line, workgroup, subgroup, depth and tangles, and what its kind
/// has besides: the lanes that wait or access, arrivals and why they rejoined, the trip of a loop, the built-in with
/// its operands and result lane by lane, the memory that is accessed, the order of memory. Sets of lanes are "0-3,7".
/// The findings of a checked run follow as objects of the kind "finding", with the members that --json has.
/// Of two runs, each object starts with "run": "first", or after all of these "beside".
std::string to_ndjson(const Shown& run, const Shown* beside = nullptr);

/// For Perfetto and chrome://tracing: each subgroup is a process, each lane a thread, and each step takes a
/// microsecond. A lane's slices are the lines that it executes and where it waits; the counter "active lanes" shows
/// how many execute, and a merge is an instant. A slice has what its lane writes to the variables that were recorded.
/// Findings are instants at the first step of their line. A second run has processes of its own, named "beside: ...". Steps at the same place then start at the same time, and
/// the first differences are instants of all processes.
std::string to_chrome_trace(const Shown& run, const Shown* beside = nullptr);

}  // namespace lockstep::render
