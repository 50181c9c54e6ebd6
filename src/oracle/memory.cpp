#include "oracle/memory.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::oracle {
namespace {

/// Numbers are at most that wide.
constexpr std::uintptr_t most_bytes = 8;
/// Words with fields are that wide.
constexpr std::uintptr_t word_bytes = 4;

}  // namespace

/// Ranges are sorted, and no two have a byte in common.
const Memory::Range* Memory::find(const std::vector<Range>& ranges, std::uintptr_t at) {
  auto next = std::ranges::upper_bound(ranges, at, {}, &Range::begin);
  return next != ranges.begin() && (--next)->has(at) ? &*next : nullptr;
}

Memory::Cells::const_iterator Memory::first_at(std::uintptr_t at) const {
  auto cell = cells_.lower_bound(at - std::min(at, most_bytes - 1));
  while (cell != cells_.end() && cell->first + cell->second.bytes <= at) ++cell;
  return cell;
}

Allowed Memory::stored(const std::byte* at, std::size_t bytes) const {
  const std::uintptr_t begin = number(at), end = begin + bytes;
  Allowed all;
  std::size_t known = 0;
  for (auto cell = first_at(begin); cell != cells_.end() && cell->first < end; ++cell) {
    if (cell->first == begin && cell->second.bytes == bytes) return cell->second.allowed;
    known += cell->second.bytes;
    // A part of another number.
    Allowed part = cell->second.allowed;
    if (part.kind == Allowed::Kind::within) part = any(Allowed::Kind::open, Why::bits, part.origin);
    all = weaker(all, part);
  }
  const Range* blank = known < bytes ? find(blanks_, begin) : nullptr;
  if (blank == nullptr && known < bytes) blank = find(blanks_, end - 1);
  return blank == nullptr ? all : weaker(all, blank->reason);
}

Allowed Memory::load(const std::byte* at, std::size_t bytes) const {
  Allowed mine = stored(at, bytes);
  if (taints_.empty()) return mine;
  auto next = std::ranges::upper_bound(taints_, number(at) + bytes - 1, {}, &Range::begin);
  while (next != taints_.begin() && (--next)->end > number(at)) mine = weaker(mine, next->reason);
  return mine;
}

void Memory::store(const std::byte* at, std::size_t bytes, const Allowed& allowed) {
  const std::uintptr_t begin = number(at), end = begin + bytes;
  for (auto cell = first_at(begin); cell != cells_.end() && cell->first < end;) {
    const std::uintptr_t first = cell->first, last = first + cell->second.bytes;
    const Allowed part = any(Allowed::Kind::open, Why::bits, cell->second.allowed.origin);
    cell = cells_.erase(cell);
    // What is left of a wider number.
    if (first < begin) cells_[first] = {begin - first, part};
    if (last > end) cells_[end] = {last - end, part};
  }
  forget_fields(begin, end);
  // Where exact is not the rule, it is noted.
  if (allowed.kind != Allowed::Kind::exact || find(blanks_, begin) != nullptr)
    cells_[begin] = {bytes, allowed};
}

bool Memory::is_exact(const std::byte* at, std::size_t bytes) const {
  const std::uintptr_t begin = number(at), end = begin + bytes;
  const auto meets = [&](const Range& r) { return r.begin < end && begin < r.end; };
  const auto cell = first_at(begin);
  return (cell == cells_.end() || cell->first >= end) && std::ranges::none_of(taints_, meets) &&
         std::ranges::none_of(blanks_, meets);
}

void Memory::store_fields(const std::byte* at, std::vector<Field> fields, std::uint32_t origin) {
  Allowed word{.kind = Allowed::Kind::within, .why = Why::conversion, .origin = origin};
  bool exact = true;
  for (const Field& field : fields) {
    const double unit = std::ldexp(1.0, static_cast<int>(field.shift));
    word.values.low += unit * field.values.low;
    word.values.high += unit * field.values.high;
    exact = exact && field.values.is_point();
  }
  store(at, word_bytes, exact ? Allowed{} : word);
  if (!exact) fields_[number(at)] = std::move(fields);
}

const std::vector<Field>* Memory::fields(const std::byte* at) const {
  const auto found = fields_.find(number(at));
  return found == fields_.end() ? nullptr : &found->second;
}

void Memory::forget_fields(std::uintptr_t begin, std::uintptr_t end) {
  if (fields_.empty()) return;
  fields_.erase(fields_.lower_bound(begin - std::min(begin, word_bytes - 1)),
                fields_.lower_bound(end));
}

void Memory::taint(const std::byte* begin, std::size_t bytes, const Allowed& reason, bool placed) {
  if (!placed) placements_.note_unknown(begin, bytes);
  // The parts that are not tainted yet: where nothing is, mostly all of it, behind the last.
  const std::uintptr_t end = number(begin) + bytes;
  for (std::uintptr_t at = number(begin); at < end;) {
    auto next = std::ranges::upper_bound(taints_, at, {}, &Range::begin);
    if (next != taints_.begin() && std::prev(next)->has(at)) {
      at = std::prev(next)->end;
      continue;
    }
    const std::uintptr_t until = next == taints_.end() ? end : std::min(end, next->begin);
    taints_.insert(next, {at, until, reason});
    at = until;
  }
}

void Memory::taint_everything(const Allowed& reason) {
  placements_.note_unknown(nullptr, ~std::uintptr_t{0});
  if (find(taints_, 1) == nullptr) taints_ = {{0, ~std::uintptr_t{0}, reason}};
}

Allowed Memory::tainted(const std::byte* at) const {
  const Range* taint = find(taints_, number(at));
  return taint == nullptr ? Allowed{} : taint->reason;
}

void Memory::clear(const std::byte* begin, std::size_t bytes, const Allowed& blank) {
  const std::uintptr_t first = number(begin), end = first + bytes;
  const auto is_here = [&](const Range& r) { return r.begin >= first && r.begin < end; };
  std::erase_if(taints_, is_here);
  std::erase_if(blanks_, is_here);
  cells_.erase(cells_.lower_bound(first), cells_.lower_bound(end));
  forget_fields(first, end);
  placements_.clear(begin, bytes);
  if (blank.kind == Allowed::Kind::exact) return;
  blanks_.insert(std::ranges::upper_bound(blanks_, first, {}, &Range::begin), {first, end, blank});
}

}  // namespace lockstep::oracle
