#pragma once

/// \file
/// Whether the results of another device are ones that Vulkan allows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/columns.hpp"
#include "io/npy.hpp"
#include "oracle/bounds.hpp"

namespace lockstep::judgement {

/// The judgement of an element, from the best to the worst.
enum class Verdict : std::uint8_t {
  equal,      ///< the bits of the reference, or of a known order of reduction
  allowed,    ///< inside the bounds of what Vulkan allows
  unordered,  ///< depends on the order of atomics: one that gives it is known, or all such elements together have the reference's values
  undefined,  ///< the specification says nothing: the shader is at fault
  racy,       ///< invocations access it without an order: the shader is at fault
  open,  ///< depends on a rounding or an order that Vulkan leaves free, and is not bounded, or not all was tried
  wrong,  ///< no conforming device gives it
};
inline constexpr std::size_t verdict_count = 7;
const char* name_of(Verdict verdict);

/// The format of floats of a type; null for integers.
const oracle::Format* format_of(npy::Dtype type);

/// An element with its judgement.
struct Element {
  Verdict verdict = Verdict::equal;
  std::size_t index = 0;
  std::string path = {};  ///< of a member: "particles[3].mass"
  std::size_t byte = 0;   ///< where it starts
  std::size_t size = 0;   ///< in bytes
  std::string reference, device;
  std::string low, high;  ///< bounds, if it has any
  bool whole = false;     ///< between them, integers only
  double ulps = 0;        ///< between reference and device
  double share = 0;       ///< of the way from the reference to the bound that the device went
  std::string reason;     ///< why there are no bounds, or where they come from
};

/// Buffers of other legal runs: which freedom they use, and their bytes.
struct LegalRun {
  std::string name;  ///< "left fold"
  std::span<const std::byte> bytes;
};

/// The judgement of the elements of a buffer.
struct Elements {
  std::size_t elements = 0;
  std::array<std::size_t, verdict_count> counts = {};
  std::vector<std::pair<Verdict, std::size_t>>
      runs;                    ///< of verdicts, over the elements in their order
  std::vector<Element> first;  ///< the first wrong, open, racy and undefined ones, 8 each at most
  Element worst;      ///< the first wrong element, else the allowed one closest to its bounds
  std::string order;  ///< of the legal run that made the most elements equal

  std::size_t count(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
};

/// Why an element that differs is not the device's fault, or not known to be.
struct Excuse {
  Verdict verdict = Verdict::open;
  std::string reason;
  bool by_chance = false;  ///< it holds as well where the device agrees
};

/// What is judged: a buffer after the reference's run, and where the numbers of other types in it are.
struct Compared {
  const std::byte* at = nullptr;  ///< the address during the reference's run
  std::span<const std::byte> reference;
  std::span<const std::byte> device;
  std::vector<LegalRun> legal = {};
  /// Runs that only tell whether a device may have gone that way, where an element is open.
  std::vector<LegalRun> sampled = {};
  /// Which elements, by their numbers, are not wrong: no more than this verdict, and why. What holds by chance is not right, either.
  std::map<std::size_t, Excuse> excused = {};
  /// The order of atomics that explains the most, if it is known: what it gives, and where numbers start that no order gives.
  std::span<const std::byte> ordered = {};
  std::set<std::size_t> misordered = {};
  /// Where numbers start that this order leaves open.
  std::set<std::size_t> left_open = {};
  /// If that is not known: where numbers start that no order leaves, and why.
  std::map<std::size_t, std::string> impossible = {};
};

/// Whether a device may have its number where the reference has `reference`, which it may within `allowed`: the same bits,
/// any NaN for a NaN, or a number in the bounds.
bool allows(const oracle::Allowed& allowed, npy::Dtype type, const std::byte* reference,
            const std::byte* device);

/// "allowed 1.2 to 1.3", of an element with bounds.
std::string allowed_text(const Element& element);

/// Judges the elements of a buffer of one type.
///
/// Requires      Both have the same size.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(elements), and a look-up for each that differs.
/// Spec          "Precision and Operation of SPIR-V Instructions" of the Vulkan specification.
/// Example       tests/judgement/elements.cpp
Elements judge(npy::Dtype type, const Compared& compared, const oracle::Bounds& bounds);
/// The same for the members of a block. What lies between them is not judged.
Elements judge(const std::vector<io::Column>& columns, const Compared& compared,
               const oracle::Bounds& bounds);

}  // namespace lockstep::judgement
