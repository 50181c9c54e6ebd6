#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/dispatch/device.hpp>

/// \file
/// A user's project: eight tests of kernels, each a source of its own.

/// n numbers below 2^16 without a pattern.
inline std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> result(n);
  std::uint32_t state = 1;
  for (std::uint32_t& number : result) number = (state = state * 1664525 + 1013904223) >> 16;
  return result;
}

bool test_ballots(const lockstep::Device& device);
bool test_histogram(const lockstep::Device& device);
bool test_loops(const lockstep::Device& device);
bool test_reduce(const lockstep::Device& device);
bool test_scan(const lockstep::Device& device);
bool test_shuffles(const lockstep::Device& device);
bool test_structs(const lockstep::Device& device);
bool test_vectors(const lockstep::Device& device);
