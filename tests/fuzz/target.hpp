#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What libFuzzer calls with each input; the program without libFuzzer calls it with files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lockstep::test {

/// The input that a file of the corpus stands for: its bytes, or what is made of them.
std::vector<std::uint8_t> input_of_file(const char* path);

}  // namespace lockstep::test
