#pragma once

/// \file
/// Traces of kernels and shaders: everything in lockstep/trace.

#include <lockstep/trace/dispatch.hpp>
#include <lockstep/trace/expect.hpp>
#include <lockstep/trace/recorder.hpp>
#include <lockstep/trace/terminal.hpp>
#include <lockstep/trace/timeline.hpp>
#include <lockstep/trace/trace.hpp>
