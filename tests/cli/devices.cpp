#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.hpp"

namespace {

constexpr const char* names[] = {"teaching",    "nvidia",       "amd_wave32", "amd_wave64",
                                 "intel_8",     "intel_16",     "intel_32",   "arm_16",
                                 "qualcomm_64", "qualcomm_128", "apple_32",   "swiftshader_4",
                                 "lavapipe_8"};

TEST_CASE("lockstep devices lists every profile with one line") {
  const Outcome list = run_program("devices");
  CHECK(list.exit_code == 0);
  CHECK(list.err.empty());
  for (const char* name : names)
    CHECK(list.out.find("\n" + std::string(name) + " ") != std::string::npos);
  CHECK(std::count(list.out.begin(), list.out.end(), '\n') == 14);
  CHECK(list.out.find("\namd_wave64      64 (32-64)   AMD RDNA 3, Mesa\n") != std::string::npos);
}

TEST_CASE("lockstep devices NAME prints a profile in vulkaninfo's shape") {
  const Outcome apple = run_program("devices apple_32");
  CHECK(apple.exit_code == 0);
  CHECK(apple.out.find("VkPhysicalDeviceSubgroupProperties:\n"
                       "-----------------------------------\n"
                       "\tsubgroupSize              = 32\n"
                       "\tsupportedStages: count = 2\n"
                       "\t\tSHADER_STAGE_FRAGMENT_BIT\n"
                       "\t\tSHADER_STAGE_COMPUTE_BIT\n"
                       "\tsupportedOperations: count = 7\n"
                       "\t\tSUBGROUP_FEATURE_BASIC_BIT\n"
                       "\t\tSUBGROUP_FEATURE_VOTE_BIT\n"
                       "\t\tSUBGROUP_FEATURE_ARITHMETIC_BIT\n"
                       "\t\tSUBGROUP_FEATURE_BALLOT_BIT\n"
                       "\t\tSUBGROUP_FEATURE_SHUFFLE_BIT\n"
                       "\t\tSUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT\n"
                       "\t\tSUBGROUP_FEATURE_QUAD_BIT\n"
                       "\tquadOperationsInAllStages = true\n") != std::string::npos);
  CHECK(apple.out.find("\tminSubgroupSize              = 4\n"
                       "\tmaxSubgroupSize              = 32\n"
                       "\tmaxComputeWorkgroupSubgroups = 256\n"
                       "\trequiredSubgroupSizeStages:\n"
                       "\t\tNone\n") != std::string::npos);
  CHECK(apple.out.find("\tshaderFloat64 = false\n") != std::string::npos);
  CHECK(apple.out.find("\tmaxComputeWorkGroupSize: count = 3\n\t\t1024\n\t\t1024\n\t\t1024\n") !=
        std::string::npos);
}

TEST_CASE("lockstep devices --json says the same to programs") {
  const auto all = nlohmann::json::parse(run_program("devices --json").out);
  REQUIRE(all.size() == std::size(names));
  for (std::size_t k = 0; k < all.size(); ++k) {
    CHECK(all[k]["name"] == names[k]);
    const auto one =
        nlohmann::json::parse(run_program("devices --json " + std::string(names[k])).out);
    CHECK(one == all[k]);
    const auto& sizes = one["VkPhysicalDeviceSubgroupSizeControlProperties"];
    CHECK(sizes["minSubgroupSize"] <= one["VkPhysicalDeviceSubgroupProperties"]["subgroupSize"]);
    CHECK(sizes["maxSubgroupSize"] >= one["VkPhysicalDeviceSubgroupProperties"]["subgroupSize"]);
    CHECK(one["VkPhysicalDeviceVulkan12Features"]["vulkanMemoryModel"] == true);
  }
  CHECK(all[1]["VkPhysicalDeviceLimits"]["maxComputeWorkGroupCount"] ==
        nlohmann::json({2147483647, 65535, 65535}));
}

TEST_CASE("lockstep devices explains a wrong name") {
  check_error("devices voodoo", 2,
              "there is no profile 'voodoo'; use one of: teaching, nvidia, amd_wave32, amd_wave64, "
              "intel_8, intel_16, intel_32, arm_16, qualcomm_64, qualcomm_128, apple_32, "
              "swiftshader_4, lavapipe_8");
}

}  // namespace
