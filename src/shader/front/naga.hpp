#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Where naga, a compiler of WGSL, differs from the others. src/web/engine.js does the same with naga in the browser.

namespace lockstep::spirv {

/// What naga has said in the words of other compilers: "a.wgsl:5:7: no definition in scope for identifier: `x`". Unchanged if it
/// is not an error report.
std::string message_of_naga(const std::string& report, const std::string& path);

/// Whether naga refuses the directive `enable subgroups;`. WGSL asks for it; naga, up to version 30, has the functions without.
bool refuses_subgroups(std::string_view report);
/// The text with that directive blanked; lines stay where they are.
std::string without_enable_subgroups(std::string text);

/// The module with the version that its instructions need. naga writes 1.0 whatever it uses; subgroup operations are of 1.3,
/// which accepts all that it writes.
void raise_version(std::vector<std::uint32_t>& words);

/// The module with another name of its source file.
std::vector<std::uint32_t> with_file_name(const std::vector<std::uint32_t>& words,
                                          std::string_view from, std::string_view to);

}  // namespace lockstep::spirv
