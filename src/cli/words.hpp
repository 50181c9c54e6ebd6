#pragma once

#include <string>
#include <vector>

namespace CLI {
class Validator;
}

namespace lockstep::cli {

/// One of these words, which completion in shells offers.
CLI::Validator one_of(std::vector<std::string> words);

/// Any value; completion in shells offers these words. For values that the command judges itself.
CLI::Validator offering(const std::vector<std::string>& words);

/// Names to offer: devices of `lockstep devices`, kernels of `lockstep kernels`.
std::vector<std::string> device_names();
std::vector<std::string> kernel_names();

}  // namespace lockstep::cli
