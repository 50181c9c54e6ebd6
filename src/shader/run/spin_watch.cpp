#include "shader/run/spin_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/reconvergence_stack.hpp>

#include "runtime/exec/waiting_text.hpp"
#include "shader/run/runner.hpp"

namespace lockstep::spirv {
namespace {

/// One subgroup's.
struct Answer {
  Size3 workgroup;
  std::uint32_t subgroup;
  std::string text;
};
std::mutex answering;
std::vector<Answer> answers;

/// The operations from the beginning to the end of the loop around an operation, which is at the loop's head.
std::pair<std::size_t, std::size_t> loop_around(const std::vector<Op>& ops, std::size_t at) {
  std::size_t begin = at, end = at;
  for (int depth = 0; begin > 0;) {
    --begin;
    if (ops[begin].code == Code::loop_end) ++depth;
    if (ops[begin].code == Code::loop_begin && depth-- == 0) break;
  }
  const std::uint32_t construct = construct_of(ops[begin]);
  while (end + 1 < ops.size() &&
         !(ops[end].code == Code::loop_end && construct_of(ops[end]) == construct))
    ++end;
  return {begin, end};
}

/// The memory that an operation reads and others may write; null if there is none.
const ResourceUse* waits_for(const Program& program, const Op& op) {
  const bool reads =
      op.code == Code::load || op.code == Code::atomic || op.code == Code::image_load;
  if (!reads) return nullptr;
  const std::uint32_t resource =
      op.code == Code::image_load ? op.as<ImageOp>().resource : place_of(op).resource;
  if (resource >= program.resources.size()) return nullptr;
  const ResourceUse& use = program.resources[resource];
  return use.writable && use.kind != ResourceUse::Kind::push_constants ? &use : nullptr;
}

/// "flags in line 12, count in line 13": what the loop reads and others may write.
std::string reads_of(const Program& program, std::size_t begin, std::size_t end) {
  constexpr std::size_t most = 4;
  std::vector<std::string> places;
  for (std::size_t k = begin; k < end && places.size() < most; ++k) {
    const ResourceUse* const use = waits_for(program, program.ops[k]);
    if (use == nullptr) continue;
    std::string place = fmt::format("{} in line {}", use->name, program.ops[k].where.line);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  std::string text;
  for (const std::string& place : places) text.append(text.empty() ? "" : ", ").append(place);
  return text;
}

/// How often the loop ran so far, at least.
std::uint64_t iterations_of(const Context& c) {
  return c.program->on_stack() ? c.stack->frames.empty() ? 0 : c.stack->frames.back().trips
                               : c.steps - c.loop_start;
}

}  // namespace

void answer_spin(const Context& c) {
  constexpr std::uint64_t long_enough = 1u << 12;
  const std::uint64_t iterations = iterations_of(c);
  if (c.next == nullptr || iterations < long_enough) return;
  const auto [begin, end] = loop_around(
      c.program->ops, c.program->op_of[static_cast<std::size_t>(c.next - c.program->insts.data())]);
  const std::string reads = reads_of(*c.program, begin, end);
  const SourceLocation where = c.program->ops[begin].where;
  const std::lock_guard lock(answering);
  if (!spin_asked || std::ranges::any_of(answers, [&](const Answer& other) {
        return other.workgroup == c.workgroup && other.subgroup == c.subgroup;
      }))
    return;
  answers.push_back(
      {c.workgroup, c.subgroup,
       fmt::format(
           "{}:{}: this loop has run {} times in lanes {} of subgroup {} of workgroup ({}, {}, "
           "{}); {}{}",
           where.file, where.line, iterations,
           to_string(LaneSet{c.state.active.low64(), c.state.active.high64()}), c.subgroup,
           c.workgroup.x, c.workgroup.y, c.workgroup.z,
           reads.empty() ? "it reads nothing that other invocations write"
                         : "if it waits, then for " + reads,
           to_string(static_cast<const Runner*>(c.runner)->waiting()))});
}

void ask_for_spin() {
  const std::lock_guard lock(answering);
  answers.clear();
  spin_asked = true;
}

bool has_spin() {
  const std::lock_guard lock(answering);
  return !answers.empty();
}

std::vector<std::string> take_spins() {
  constexpr std::size_t most = 4;
  const std::lock_guard lock(answering);
  spin_asked = false;
  std::vector<std::string> texts;
  for (const Answer& answer : answers) {
    if (texts.size() == most) break;
    texts.push_back(answer.text);
  }
  if (answers.size() > most)
    texts.back() += fmt::format("; other subgroups in such loops: {}", answers.size() - most);
  answers.clear();
  return texts;
}

}  // namespace lockstep::spirv
