#include "lessons/exercises.hpp"
#include "lessons/lesson.hpp"
#include "lessons/texts.hpp"

namespace lockstep::lessons {
namespace {

const std::vector<int> from_four{4, 8, 16, 32, 64, 128};

/// Long, as it lists the lessons with their exercises.
std::vector<Lesson> make_lessons() {
  std::vector<Lesson> all{
      {1,
       "01-active-lanes",
       "Active lanes",
       "Count inside the branch, and count lanes, not the size: subgroupBallot(true) has a bit for "
       "each active lane.",
       {.expected = expected::active_even},
       "",
       ""},
      {2,
       "02-partial-subgroups",
       "Partial subgroups",
       "The last lane that exists is the highest bit of subgroupBallot(true), not gl_SubgroupSize "
       "- 1.",
       {.workgroups = 3, .expected = expected::last_of_subgroup},
       "",
       ""},
      {3,
       "03-branch-loop-early-exit",
       "Branch, loop and early exit",
       "All lanes have to be there when subgroupAdd is called: no lane may have returned, or still "
       "be in the loop.",
       {.expected = expected::sum_of_halvings},
       "",
       ""},
      {4,
       "04-votes",
       "Votes",
       "Let all lanes vote, before the branch that depends on the outcome.",
       {.expected = expected::vote_on_even},
       "",
       ""},
      {5,
       "05-ballots-and-compaction",
       "Ballots and compaction",
       "A lane's place is the number of even values below it: subgroupBallotExclusiveBitCount of "
       "their ballot.",
       {.expected = expected::compacted},
       "",
       ""},
      {6,
       "06-scans",
       "Scans",
       "What is above a lane is the sum of all lanes less the sum up to and including the lane "
       "itself.",
       {.expected = expected::sum_of_lanes_above},
       "",
       ""},
      {7,
       "07-shuffles",
       "Shuffles",
       "Shuffle where all lanes are active, then decide which lanes use the value.",
       {.expected = expected::differences},
       "",
       ""},
      {8,
       "08-clusters-and-quads",
       "Clusters and quads",
       "A group of four lanes is a cluster of size 4.",
       {.expected = expected::sums_of_four, .sizes = from_four},
       "",
       ""},
      {9,
       "09-workgroup-scan",
       "A scan over the workgroup",
       "Subgroups have to wait for each other's totals, and there may be as many subgroups as "
       "invocations.",
       {.expected = expected::sums_in_workgroup},
       "",
       ""},
      {10,
       "10-what-vulkan-promises",
       "What Vulkan promises",
       "Elect where the whole workgroup is: nothing else promises that lanes rejoin after the "
       "election.",
       {.expected = expected::even_values, .slots = true, .one_atomic = true, .adversary = true},
       "",
       ""},
      {11,
       "11-subgroup-uniform-control-flow",
       "Subgroup-uniform control flow",
       "Enter the election with whole subgroups: decide by a vote, and let each lane decide only "
       "about its store.",
       {.expected = expected::even_values_of_odd_subgroups,
        .slots = true,
        .one_atomic = true,
        .adversary = true,
        .rule = Rule::subgroup_uniform},
       "",
       ""},
      {12,
       "12-maximal-reconvergence",
       "Maximal reconvergence",
       "Only GL_EXT_maximal_reconvergence promises that lanes of different iterations stay apart "
       "before a break.",
       {.expected = expected::lanes_of_same_remainder, .adversary = true, .rule = Rule::maximal},
       "",
       ""},
      {13,
       "13-undefined-values",
       "Undefined values",
       "Where no value is even there is nothing to divide by, and the mean is 0.",
       {.expected = expected::means},
       "",
       ""},
      {14,
       "14-portability-across-sizes",
       "Portability across sizes",
       "Loop up to gl_SubgroupSize, and skip lanes that are not active: 96 invocations do not fill "
       "all subgroups.",
       {.expected = expected::ranks},
       "",
       ""},
      {15,
       "15-testing-your-own-shader",
       "Testing your own shader",
       "The last subgroup is not full: count from its highest active lane.",
       {.workgroups = 3, .expected = expected::reversed},
       "",
       ""},
      {16,
       "16-validating-a-gpu",
       "Validating a GPU",
       "Neither the order of atomics nor the lane of an invocation is promised; "
       "gl_LocalInvocationIndex is.",
       {.expected = expected::compacted_in_workgroup, .mappings = true},
       "",
       ""},
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].chapter = texts[k].chapter;
    all[k].start = texts[k].start;
  }
  return all;
}

}  // namespace

std::span<const Lesson> all_lessons() {
  static const std::vector<Lesson> all = make_lessons();
  return all;
}

}  // namespace lockstep::lessons
