#pragma once

namespace lockstep::cli {

/// The largest subgroup size that options take.
inline constexpr int max_lanes = 128;
/// The most threads that options take.
inline constexpr int max_threads = 1024;

}  // namespace lockstep::cli
