#include <lockstep/exec/fault_log.hpp>

#include <algorithm>
#include <new>
#include <ostream>
#include <string_view>
#include <tuple>
#include <utility>

#include <lockstep/exec/suppressions.hpp>

#include "runtime/exec/hlsl_words.hpp"

namespace lockstep {
namespace {

bool same_place(const Finding& a, const Finding& b) {
  return a.where.line == b.where.line && a.rule == b.rule && a.severity == b.severity &&
         a.access.kind == b.access.kind && std::string_view(a.where.file) == b.where.file &&
         a.access.object == b.access.object;
}

auto order_of(const Finding& f) { return std::tuple(f.workgroup.z, f.workgroup.y, f.workgroup.x); }

void add(Finding& to, const Finding& more) {
  to.count += more.count;
  to.lanes = to.lanes | more.lanes;
}

}  // namespace

std::vector<Finding>::iterator FaultLog::like(const Finding& finding) {
  return std::ranges::find_if(findings_, [&](const Finding& f) { return same_place(f, finding); });
}

FaultLog::FaultLog(const FaultLog&) = default;
FaultLog::FaultLog(FaultLog&&) noexcept = default;
FaultLog& FaultLog::operator=(const FaultLog&) = default;
FaultLog& FaultLog::operator=(FaultLog&&) noexcept = default;
FaultLog::~FaultLog() = default;

void FaultLog::record(const Finding& finding) noexcept {
  count_ += finding.count;
  if (const auto found = like(finding); found != findings_.end()) return add(*found, finding);
  if (findings_.size() == most_kept) return;
  try {
    Finding kept = finding;
    if (kept.message.empty()) kept.message = to_string(kept.access);
    if (is_hlsl_file(kept.where.file)) {
      kept.message = in_words_of_hlsl(kept.message);
      kept.origin_message = in_words_of_hlsl(kept.origin_message);
    }
    findings_.push_back(std::move(kept));
  } catch (const std::bad_alloc&) {
    return;
  }
}

void FaultLog::merge(const FaultLog& later) {
  const std::uint64_t count = count_ + later.count_;
  for (const Finding& f : later.findings_) record(f);
  count_ = count;
  notes_.merge(later.notes_);
}

void FaultLog::remove_suppressed(const Suppressions& comments) {
  std::erase_if(findings_, [&](const Finding& finding) {
    if (!comments.suppresses(finding)) return false;
    count_ -= finding.count;
    return true;
  });
}

void FaultLog::remove_suppressed() { remove_suppressed(Suppressions()); }

void FaultLog::put_in_order(const FaultLog& others) {
  count_ += others.count_;
  for (Finding f : others.findings_) {
    if (const auto found = like(f); found != findings_.end()) {
      if (order_of(*found) <= order_of(f)) {
        add(*found, f);
        continue;
      }
      add(f, *found);
      findings_.erase(found);
    }
    findings_.push_back(std::move(f));
  }
  // Those of one workgroup are all in one log, and keep their order.
  std::ranges::stable_sort(findings_, {}, order_of);
  if (findings_.size() > most_kept) findings_.resize(most_kept);
}

std::string to_string(const FaultLog& log) {
  if (log.count() == 0) return "no findings";
  std::string text;
  std::uint64_t kept = 0;
  for (const Finding& finding : log.findings()) {
    if (!text.empty()) text += '\n';
    text += to_string(finding);
    kept += finding.count;
  }
  if (kept != log.count())
    text += (text.empty() ? "" : "\nand ") + std::to_string(log.count() - kept) + " more";
  return text;
}

std::ostream& operator<<(std::ostream& to, const FaultLog& log) { return to << to_string(log); }

}  // namespace lockstep
