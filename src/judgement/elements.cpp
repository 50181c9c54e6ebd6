#include "judgement/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "io/types.hpp"

namespace lockstep::judgement {

const oracle::Format* format_of(npy::Dtype type) {
  switch (type) {
    case npy::Dtype::float16:
      return &oracle::float16;
    case npy::Dtype::float32:
      return &oracle::float32;
    case npy::Dtype::float64:
      return &oracle::float64;
    default:
      return nullptr;
  }
}

namespace {

using io::bytes_of;
using io::Column;
using oracle::Allowed;

constexpr std::size_t most_of_each = 8;
constexpr std::string_view chance = ", and the device agrees by chance";

bool is_denormal(npy::Dtype type, double x) {
  const oracle::Format* const format = format_of(type);
  return format != nullptr && x != 0 && std::abs(x) < format->smallest_normal;
}

/// An element's number, as far as bounds need it.
double number_of(npy::Dtype type, const std::byte* at) {
  if (const oracle::Format* format = format_of(type)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes_of(type));
    return oracle::from_bits(bits, *format);
  }
  return io::visit_type(type, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  });
}

/// The same bits, where sign and payload of a NaN are free.
bool are_same(npy::Dtype type, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, bytes_of(type)) == 0) return true;
  return format_of(type) != nullptr && std::isnan(number_of(type, a)) &&
         std::isnan(number_of(type, b));
}
/// Floats may be added to a word by compare-and-swap.
npy::Dtype type_of(npy::Dtype type, const Allowed& allowed) {
  if (!allowed.is_float || format_of(type) != nullptr) return type;
  return bytes_of(type) == 8 ? npy::Dtype::float64 : npy::Dtype::float32;
}
bool is_within(const Allowed& allowed, npy::Dtype type, const std::byte* device) {
  if (allowed.pieces) {
    std::uint32_t word = 0;
    std::memcpy(&word, device, std::min(sizeof word, bytes_of(type)));
    return allowed.pieces.allows(word);
  }
  const double number = number_of(type_of(type, allowed), device);
  return allowed.values.contains(number) && !(allowed.normal && is_denormal(type, number)) &&
         !(allowed.whole && std::trunc(number) != number);
}

/// One number of a buffer.
struct Number {
  npy::Dtype type{};
  std::size_t index = 0, byte = 0;
  std::size_t number = 0;  ///< in the buffer, through all of its columns
  const Column* column = nullptr;
};

class Judging {
 public:
  Judging(const Compared& compared, const oracle::Bounds& bounds)
      : compared_(compared),
        bounds_(bounds),
        exact_(bounds.memory.is_exact(compared.at, compared.reference.size())),
        equal_by_(compared.legal.size()) {}

  void add(const Number& element) {
    const Verdict verdict = judge(element);
    verdicts_.push_back(agrees_by_chance(element, verdict) ? keep_chance(element) : verdict);
  }

  Elements finish() {
    settle_unordered();
    Elements result;
    result.elements = verdicts_.size();
    for (const Verdict verdict : verdicts_) {
      ++result.counts[static_cast<std::size_t>(verdict)];
      if (result.runs.empty() || result.runs.back().first != verdict)
        result.runs.push_back({verdict, 0});
      ++result.runs.back().second;
    }
    const auto best = std::max_element(equal_by_.begin(), equal_by_.end());
    if (best != equal_by_.end() && *best > 0)
      result.order = compared_.legal[static_cast<std::size_t>(best - equal_by_.begin())].name;
    // Wrong ones first.
    std::stable_sort(first_.begin(), first_.end(),
                     [](const Element& a, const Element& b) { return a.verdict > b.verdict; });
    result.first = std::move(first_);
    const bool wrong = !result.first.empty() && result.first[0].verdict == Verdict::wrong;
    result.worst = wrong ? result.first[0] : worst_;
    return result;
  }

 private:
  bool same(const Number& e, std::span<const std::byte> other) const {
    return are_same(e.type, other.data() + e.byte, compared_.device.data() + e.byte);
  }

  bool agrees_by_chance(const Number& e, Verdict verdict) const {
    if (compared_.excused.empty() || verdict > Verdict::unordered) return false;
    const auto excuse = compared_.excused.find(e.number);
    return excuse != compared_.excused.end() && excuse->second.by_chance;
  }
  Verdict keep_chance(const Number& e) {
    return keep(e, Verdict::wrong, bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type)),
                chance);
  }

  Verdict judge(const Number& e) {
    if (compared_.misordered.contains(e.byte)) return misordered(e);
    if (const auto why = compared_.impossible.find(e.byte); why != compared_.impossible.end())
      return keep(e, Verdict::wrong, bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type)),
                  why->second);
    if (same(e, compared_.reference)) return same_as_reference(e);
    for (std::size_t k = 0; k < compared_.legal.size(); ++k) {
      if (!same(e, compared_.legal[k].bytes)) continue;
      ++equal_by_[k];
      return Verdict::equal;
    }
    const Allowed allowed = bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type));
    switch (allowed.kind) {
      case Allowed::Kind::exact:
        return keep(e, Verdict::wrong, allowed);
      case Allowed::Kind::within:
        return within(e, allowed);
      case Allowed::Kind::undefined:
        return keep(e, Verdict::undefined, allowed);
      case Allowed::Kind::open:
        return keep(e, Verdict::open, allowed);
      case Allowed::Kind::unordered:
        if (compared_.left_open.contains(e.byte)) return keep(e, Verdict::open, allowed);
        return note_unordered(e, Verdict::unordered);
    }
    return Verdict::wrong;
  }

  Verdict misordered(const Number& e) {
    const Allowed allowed = bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type));
    return keep(e, Verdict::wrong, allowed,
                fmt::format("; no order gives it, that of the other elements gives {}",
                            io::to_text(e.type, compared_.ordered.data() + e.byte)));
  }

  /// Where the shader takes what it must not, a device agrees by chance.
  Verdict same_as_reference(const Number& e) {
    if (exact_) return Verdict::equal;
    const Allowed allowed = bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type));
    if (!is_fault(allowed)) return note_unordered(e, Verdict::equal);
    return keep(e, Verdict::undefined, allowed, chance);
  }

  /// Whether the shader uses what has no value, and does not only compute with what floats do not reach.
  static bool is_fault(const Allowed& allowed) {
    return allowed.kind == Allowed::Kind::undefined &&
           (allowed.why == oracle::Why::lanes || allowed.why == oracle::Why::uninitialised);
  }

  Verdict within(const Number& e, const Allowed& allowed) {
    const std::byte* const theirs = compared_.device.data() + e.byte;
    if (!is_within(allowed, e.type, theirs) || !allows_fields(e, theirs))
      return keep(e, Verdict::wrong, allowed);
    const Element judged = described(e, Verdict::allowed, allowed);
    if (worst_.verdict == Verdict::equal || judged.share > worst_.share) worst_ = judged;
    return Verdict::allowed;
  }

  /// Of a word that holds several numbers each one counts.
  bool allows_fields(const Number& e, const std::byte* theirs) const {
    const std::vector<oracle::Field>* fields = bounds_.memory.fields(compared_.at + e.byte);
    if (fields == nullptr) return true;
    std::uint64_t word = 0;
    std::memcpy(&word, theirs, bytes_of(e.type));
    return std::ranges::all_of(*fields,
                               [&](const oracle::Field& field) { return field.allows(word); });
  }

  Element described(const Number& e, Verdict verdict, const Allowed& allowed) const {
    Element judged;
    judged.verdict = verdict;
    judged.index = e.index;
    if (e.column != nullptr) judged.path = e.column->path(e.index);
    judged.byte = e.byte;
    judged.size = bytes_of(e.type);
    const std::byte* const mine = compared_.reference.data() + e.byte;
    const std::byte* const theirs = compared_.device.data() + e.byte;
    const npy::Dtype type = type_of(e.type, allowed);
    judged.reference = io::to_text(type, mine);
    judged.device = io::to_text(type, theirs);
    judged.reason = bounds_.explain(allowed);
    const double a = number_of(type, mine), b = number_of(type, theirs);
    if (const oracle::Format* format = format_of(type)) {
      const double distance = std::abs(b - a) / oracle::ulp(a, *format);
      judged.ulps = std::isfinite(distance) ? distance : 0;
    }
    if (allowed.pieces) {
      judged.low = allowed.pieces.text(false);
      judged.high = allowed.pieces.text(true);
    } else if (allowed.kind == Allowed::Kind::within) {
      judged.low = fmt::format("{}", allowed.values.low);
      judged.high = fmt::format("{}", allowed.values.high);
      judged.whole = allowed.whole;
      const double room = b < a ? a - allowed.values.low : allowed.values.high - a;
      if (room > 0 && std::isfinite(b)) judged.share = std::abs(b - a) / room;
    }
    return judged;
  }
  Verdict keep(const Number& e, Verdict verdict, const Allowed& allowed,
               std::string_view more = {}) {
    const auto excuse = compared_.excused.find(e.number);
    const bool excused = verdict == Verdict::wrong && excuse != compared_.excused.end();
    if (excused) verdict = excuse->second.verdict;
    if (kept_[static_cast<std::size_t>(verdict)]++ < most_of_each) {
      Element& kept = first_.emplace_back(described(e, verdict, allowed));
      if (excused)
        kept.reason = excuse->second.reason;
      else if (verdict == Verdict::open)
        kept.reason += sampled_text(e);
      if (is_fault(allowed) || verdict == Verdict::racy) kept.reason += "; the shader is at fault";
      kept.reason += more;
    }
    return verdict;
  }
  /// Whether another run gives what the device gave.
  std::string sampled_text(const Number& e) const {
    if (compared_.sampled.empty()) return {};
    const auto gives = std::ranges::find_if(
        compared_.sampled, [&](const LegalRun& run) { return same(e, run.bytes); });
    if (gives == compared_.sampled.end())
      return fmt::format("; none of {} runs that round differently gives this",
                         compared_.sampled.size());
    return fmt::format("; a run that rounds {} gives this", gives->name);
  }

  /// Elements that depend on the order of atomics are judged together, those that are equal as well.
  Verdict note_unordered(const Number& e, Verdict verdict) {
    if (!compared_.ordered.empty()) return verdict;
    if (verdict == Verdict::equal) {
      const Allowed allowed = bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type));
      if (allowed.kind != Allowed::Kind::unordered) return verdict;
    } else {
      unordered_.push_back(e);
      places_.push_back(verdicts_.size());
    }
    const auto text = [&](std::span<const std::byte> bytes) {
      return std::string(reinterpret_cast<const char*>(bytes.data()) + e.byte, bytes_of(e.type));
    };
    ++balance_[text(compared_.reference)];
    --balance_[text(compared_.device)];
    return verdict;
  }
  void settle_unordered() {
    const bool same = std::all_of(balance_.begin(), balance_.end(),
                                  [](const auto& value) { return value.second == 0; });
    if (same) return;
    for (std::size_t k = 0; k < unordered_.size(); ++k) {
      if (verdicts_[places_[k]] == Verdict::racy) continue;
      const Number& e = unordered_[k];
      const Allowed allowed = bounds_.memory.load(compared_.at + e.byte, bytes_of(e.type));
      verdicts_[places_[k]] = keep(e, Verdict::open, allowed);
    }
  }

  const Compared& compared_;
  const oracle::Bounds& bounds_;
  bool exact_;  ///< whether all of the buffer is
  std::vector<Verdict> verdicts_;
  std::vector<Element> first_;
  std::array<std::size_t, verdict_count> kept_ = {};
  Element worst_;
  std::vector<std::size_t> equal_by_;  ///< elements, by legal run
  std::vector<Number> unordered_;
  std::vector<std::size_t> places_;  ///< of their verdicts
  std::map<std::string, int>
      balance_;  ///< how often the reference has a value, minus how often the device does
};

}  // namespace

const char* name_of(Verdict verdict) {
  constexpr const char* names[] = {"equal", "allowed", "unordered", "undefined",
                                   "racy",  "open",    "wrong"};
  return names[static_cast<std::size_t>(verdict)];
}

bool allows(const Allowed& allowed, npy::Dtype type, const std::byte* reference,
            const std::byte* device) {
  return are_same(type, reference, device) ||
         (allowed.kind == Allowed::Kind::within && is_within(allowed, type, device));
}

std::string allowed_text(const Element& element) {
  return fmt::format("allowed {} to {}{}", element.low, element.high,
                     element.whole ? ", integers only" : "");
}

Elements judge(npy::Dtype type, const Compared& compared, const oracle::Bounds& bounds) {
  Judging judging(compared, bounds);
  const std::size_t size = bytes_of(type);
  for (std::size_t k = 0; (k + 1) * size <= compared.device.size(); ++k)
    judging.add({type, k, k * size, k});
  return judging.finish();
}

Elements judge(const std::vector<Column>& columns, const Compared& compared,
               const oracle::Bounds& bounds) {
  Judging judging(compared, bounds);
  std::size_t number = 0;
  for (const Column& column : columns) {
    for (std::size_t k = 0; k < column.size(); ++k)
      judging.add({column.type, k, static_cast<std::size_t>(column.place(k)), number++, &column});
  }
  return judging.finish();
}

}  // namespace lockstep::judgement
