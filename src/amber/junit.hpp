#pragma once

#include <span>
#include <string>
#include <string_view>

#include "amber/outcome.hpp"

namespace lockstep::amber {

/// The outcomes as JUnit's XML: one suite with a test case of this class for each script.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None; bytes that XML cannot hold become question marks.
/// Cost          O(text).
/// Spec          JUnit XML as read by Jenkins and GitLab
/// Example       tests/amber/junit.cpp
std::string junit(std::span<const Outcome> outcomes, std::string_view class_name = "amber");

}  // namespace lockstep::amber
