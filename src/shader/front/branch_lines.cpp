#include "shader/front/branch_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "shader/front/construct_words.hpp"
#include "shader/front/encoded.hpp"
#include "shader/front/module.hpp"
#include "shader/front/source_texts.hpp"

namespace lockstep::spirv {
namespace {

using Kind = ConstructWord::Kind;

/// A line of a file, by the id of its name.
struct Place {
  Id file = 0;
  std::uint32_t line = 0;
};

/// An instruction, and the place that is in effect at it.
struct Placed {
  std::span<const std::uint32_t> words;
  Place place;
  bool marks = false;  ///< it is OpLine, or an instruction like it, and the place begins with it

  spv::Op opcode() const { return static_cast<spv::Op>(words[0] & 0xffff); }
  /// 0 if there is none.
  std::uint32_t operator[](std::size_t k) const { return k < words.size() ? words[k] : 0; }
};

struct Block {
  std::size_t first = 0;            ///< of its instructions: OpLabel
  std::size_t terminator = 0;       ///< also an instruction
  std::optional<std::size_t> from;  ///< the first block that names this one
};

/// A construct word of the source, and whether a branch is known to be its.
struct Word : ConstructWord {
  explicit Word(const ConstructWord& word) : ConstructWord(word) {}
  bool taken = false;
};

/// The words of a source, in its order.
class SourceWords {
 public:
  SourceWords() = default;
  explicit SourceWords(const std::vector<ConstructWord>& words) : all_(words.begin(), words.end()) {
    std::uint32_t last = 0;
    for (const Word& word : all_) last_so_far_.push_back(last = std::max(last, word.last));
    ascend_ = std::ranges::is_sorted(all_, {}, &Word::line);
  }

  /// Those that may lie on one of these lines: all, if #line goes back.
  std::span<Word> between(std::uint32_t first, std::uint32_t last) {
    if (!ascend_) return all_;
    const auto begin = std::ranges::lower_bound(last_so_far_, first) - last_so_far_.begin();
    const auto end = std::ranges::upper_bound(all_, last, {}, &Word::line) - all_.begin();
    return begin < end ? std::span(all_.begin() + begin, all_.begin() + end) : std::span<Word>();
  }

 private:
  std::vector<Word> all_;
  std::vector<std::uint32_t>
      last_so_far_;  ///< the greatest last line of each word and those before
  bool ascend_ = true;
};

bool ends_block(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpKill:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpUnreachable:
      return true;
    default:
      return false;
  }
}

bool is_merge(spv::Op op) { return op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge; }

/// The instructions of a module with their places, and its sources.
class PlacedModule {
 public:
  explicit PlacedModule(std::span<const std::uint32_t> words) : texts_(source_texts_by_id(words)) {
    std::size_t end = header_words;
    for (const Encoded i : EncodedInstructions(words)) {
      add({i.words, {}});
      end = i.at + i.words.size();
      if (i.opcode() == spv::Op::OpFunction && texts_.empty()) return;
    }
    if (end != words.size()) return;  // cut off
    for (const auto& [file, text] : texts_) {
      const std::vector<ConstructWord> words_of_text = construct_words(text);
      if (!words_of_text.empty()) sources[file] = SourceWords(words_of_text);
    }
  }

  /// The blocks that a terminator names.
  std::vector<Id> targets_of(const Placed& terminator) const {
    switch (terminator.opcode()) {
      case spv::Op::OpBranch:
        return {terminator[1]};
      case spv::Op::OpBranchConditional:
        return {terminator[2], terminator[3]};
      case spv::Op::OpSwitch: {
        std::vector<Id> all{terminator[2]};
        const std::size_t label_words = wide_values_.contains(terminator[1]) ? 2 : 1;
        for (std::size_t k = 3 + label_words; k < terminator.words.size(); k += label_words + 1)
          all.push_back(terminator[k]);
        return all;
      }
      default:
        return {};
    }
  }

  std::vector<Placed> instructions;
  std::map<Id, SourceWords> sources;  ///< by the name of the file; empty if none has a construct

 private:
  void add(Placed next) {
    switch (next.opcode()) {
      case spv::Op::OpExtInstImport:
        if (text_at(next.words, 2) == debug_set_name) debug_set_ = next[1];
        break;
      case spv::Op::OpConstant:
        constants_[next[2]] = next[3];
        break;
      case spv::Op::OpLine:
        now_ = {next[1], next[2]};
        next.marks = true;
        break;
      case spv::Op::OpNoLine:
        now_ = {};
        break;
      case spv::Op::OpExtInst:
        if (next[3] == debug_set_ && debug_set_ != 0) take_debug(next);
        break;
      default:
        break;
    }
    note_width(next);
    next.place = now_;
    instructions.push_back(next);
  }

  void take_debug(Placed& next) {
    if (next[4] == debug_source) {
      files_[next[2]] = next[5];
    } else if (next[4] == debug_line) {
      now_ = {files_[next[5]], constants_[next[6]]};
      next.marks = true;
    } else if (next[4] == debug_no_line) {
      now_ = {};
    }
  }

  /// A switch has labels of the width of its selector.
  void note_width(const Placed& i) {
    bool has_result = false, has_type = false;
    spv::HasResultAndType(i.opcode(), &has_result, &has_type);
    if (i.opcode() == spv::Op::OpTypeInt && i[2] == 64) wide_types_.insert(i[1]);
    if (has_type && wide_types_.contains(i[1])) wide_values_.insert(i[2]);
  }

  std::map<Id, std::string> texts_;  ///< of sources, by the name of the file
  std::map<Id, std::uint32_t> constants_;
  std::map<Id, Id> files_;  ///< the names of DebugSource
  std::set<Id> wide_types_, wide_values_;
  Id debug_set_ = 0;
  Place now_;
};

class BranchLines {
 public:
  explicit BranchLines(const std::vector<std::uint32_t>& words) : words_(words), module_(words) {}

  /// Empty if nothing changes.
  std::vector<std::uint32_t> run() {
    if (module_.sources.empty()) return {};
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const spv::Op op = all_[k].opcode();
      if (op == spv::Op::OpFunction) begin_function(k);
      if (op == spv::Op::OpLabel) {
        const auto found = block_of_.find(all_[k][1]);
        if (found == block_of_.end()) return {};  // no valid module
        block_ = found->second;
      }
      if (blocks_.empty()) continue;
      if (const auto kind = kind_of(k)) take_branch(k, *kind);
    }
    return added_.empty() ? std::vector<std::uint32_t>() : written();
  }

 private:
  /// Notes the function's blocks, and which one names each of them first.
  void begin_function(std::size_t start) {
    blocks_.clear();
    block_of_.clear();
    std::map<Id, std::size_t> named;
    for (std::size_t k = start; k < all_.size(); ++k) {
      const Placed& i = all_[k];
      if (i.opcode() == spv::Op::OpFunctionEnd) break;
      if (i.opcode() == spv::Op::OpLabel) {
        block_of_[i[1]] = blocks_.size();
        const auto found = named.find(i[1]);
        blocks_.push_back(
            {k, k, found == named.end() ? std::nullopt : std::optional(found->second)});
      }
      if (blocks_.empty()) continue;
      if (is_merge(i.opcode())) named.try_emplace(i[1], blocks_.size() - 1);
      if (i.opcode() == spv::Op::OpLoopMerge) named.try_emplace(i[2], blocks_.size() - 1);
      for (const Id target : module_.targets_of(i)) named.try_emplace(target, blocks_.size() - 1);
      if (ends_block(i.opcode())) blocks_.back().terminator = k;
    }
  }

  /// What a branch, or the merge instruction of a loop, begins. Nothing for the test of a loop before its end, which shows where
  /// the loop begins.
  std::optional<Kind> kind_of(std::size_t at) const {
    switch (all_[at].opcode()) {
      case spv::Op::OpLoopMerge:
        return Kind::loop;
      case spv::Op::OpSwitch:
        return Kind::switch_statement;
      case spv::Op::OpBranchConditional:
        if (goes_back(at)) return Kind::loop_end;
        if (all_[at - 1].opcode() == spv::Op::OpSelectionMerge) return Kind::selection;
        return {};
      default:
        return {};
    }
  }
  /// The test at the end of a loop.
  bool goes_back(std::size_t at) const {
    return std::ranges::any_of(module_.targets_of(all_[at]), [&](Id target) {
      const auto found = block_of_.find(target);
      return found != block_of_.end() && found->second <= block_;
    });
  }

  /// A branch where the source has a construct that no other branch has taken, takes it; others get the line of the next one.
  void take_branch(std::size_t at, Kind kind) {
    std::size_t begin = begin_of_statement(at);
    bool marked = false;
    for (std::size_t k = begin; k < at; ++k) {
      if (!all_[k].marks) continue;
      begin = k + 1;
      marked = true;
    }
    if (combines_conditions(at)) return;
    const Place before = marked ? all_[at].place : place_before(at);
    const auto words = module_.sources.find(before.file);
    if (before.line == 0 || words == module_.sources.end()) return;
    if (marked && take_at(words->second.between(before.line, before.line), kind, before.line))
      return;
    const std::uint32_t after = line_after(at, before);
    if (marked && after == no_line) return;
    if (const Word* word =
            word_after(words->second.between(before.line, after), kind, before.line, after, marked))
      added_[begin] = {before.file, word->line};
  }

  /// The operators && and || of which one side is computed only where it counts: their merge block begins with the result.
  bool combines_conditions(std::size_t at) const {
    if (all_[at - 1].opcode() != spv::Op::OpSelectionMerge) return false;
    const auto merge = block_of_.find(all_[at - 1][1]);
    if (merge == block_of_.end()) return false;
    const std::size_t after_label = blocks_[merge->second].first + 1;
    if (after_label == all_.size()) return false;
    const Placed& first = all_[after_label];
    if (first.opcode() != spv::Op::OpPhi) return false;
    const Id condition = all_[at][1], negated = negated_by(at, condition);
    return std::ranges::any_of(first.words.subspan(1), [&](Id id) {
      return id == condition || (id == negated && negated != 0);
    });
  }
  /// What the condition of the branch is the opposite of; 0 if of nothing.
  Id negated_by(std::size_t at, Id condition) const {
    for (std::size_t k = blocks_[block_].first; k < at; ++k)
      if (all_[k].opcode() == spv::Op::OpLogicalNot && all_[k][2] == condition) return all_[k][3];
    return 0;
  }

  /// Where the branch and what computes its condition begin, after the last other instruction.
  std::size_t begin_of_statement(std::size_t at) const {
    std::set<Id> needed(all_[at].words.begin() + 1, all_[at].words.end()), arguments;
    std::size_t begin = at;
    for (; begin > blocks_[block_].first + 1; --begin) {
      const Placed& i = all_[begin - 1];
      const spv::Op op = i.opcode();
      if (i.marks || op == spv::Op::OpNoLine || is_merge(op)) continue;
      if (op == spv::Op::OpStore && arguments.contains(i[1])) {
        needed.insert(i[2]);
        continue;
      }
      bool has_result = false, has_type = false;
      spv::HasResultAndType(op, &has_result, &has_type);
      if (!has_type || !needed.contains(i[2]) || op == spv::Op::OpPhi || op == spv::Op::OpVariable)
        break;
      for (std::size_t k = 3; k < i.words.size(); ++k) {
        needed.insert(i[k]);
        if (op == spv::Op::OpFunctionCall) arguments.insert(i[k]);
      }
    }
    return begin;
  }

  /// The last place of the source before the branch: in its block or, if that has none, in those between it and the block
  /// that names it. Cases are in another order than in the source.
  Place place_before(std::size_t at) const {
    Place place = last_place(blocks_[block_].first + 1, at);
    for (std::size_t block = block_; place.line == 0;) {
      const std::optional<std::size_t> from = blocks_[block].from;
      if (!from || *from >= block) return all_[blocks_.front().first].place;
      const Placed& branch = all_[blocks_[*from].terminator];
      const Id merge = all_[blocks_[*from].terminator - 1][1];
      const bool is_case =
          branch.opcode() == spv::Op::OpSwitch && merge != all_[blocks_[block].first][1];
      if (is_case && branch.place.line != 0) return branch.place;
      place = last_place(blocks_[*from].first, blocks_[block].first);
      block = *from;
    }
    return place;
  }
  /// The last line of the file that comes last among those instructions.
  Place last_place(std::size_t begin, std::size_t end) const {
    Place place;
    for (std::size_t k = begin; k < end; ++k) {
      const Place next = all_[k].place;
      if (all_[k].marks && (next.file != place.file || next.line > place.line)) place = next;
    }
    return place;
  }

  static constexpr std::uint32_t no_line = ~0u;
  /// The first line in the function that comes after the branch and is further down than `before`.
  std::uint32_t line_after(std::size_t at, Place before) const {
    for (std::size_t k = at; all_[k].opcode() != spv::Op::OpFunctionEnd && k + 1 < all_.size();
         ++k) {
      const Place next = all_[k].place;
      if (all_[k].marks && next.file == before.file && next.line > before.line) return next.line;
    }
    return no_line;
  }

  /// glslang places a loop with its test at the end there.
  static bool is_end_of_loop(std::span<const Word> words, std::uint32_t line) {
    return std::ranges::any_of(words, [&](const Word& word) {
      return word.kind == Kind::loop_end && word.line <= line && line <= word.last;
    });
  }
  /// Whether there is a construct on the line for a branch there. Also of a conditional operator, which may be a selection.
  static bool take_at(std::span<Word> words, Kind kind, std::uint32_t line) {
    const auto take = [&](Kind of) {
      const auto found = std::ranges::find_if(words, [&](const Word& word) {
        return word.kind == of && !word.taken && word.line <= line && line <= word.last;
      });
      if (found == words.end()) return false;
      found->taken = true;
      return true;
    };
    if (kind == Kind::loop && is_end_of_loop(words, line)) return true;
    return take(kind) || (kind == Kind::selection && take(Kind::conditional));
  }
  /// The word of a branch between two lines: the first that no other branch has taken. Of a branch without a line that may be
  /// the copy of another one, where a function was inlined. Null if there is none.
  static const Word* word_after(std::span<Word> words, Kind kind, std::uint32_t first,
                                std::uint32_t last, bool marked) {
    for (Word& word : words) {
      if (word.kind == kind && !word.taken && word.last >= first && word.line <= last) {
        word.taken = true;
        return &word;
      }
    }
    const auto found = std::ranges::find_if(words, [&](const Word& word) {
      const bool is_kind =
          word.kind == kind || (kind == Kind::selection && word.kind == Kind::conditional);
      return !marked && is_kind && word.line > first && word.line <= last;
    });
    return found == words.end() ? nullptr : &*found;
  }

  std::vector<std::uint32_t> written() const {
    std::vector<std::uint32_t> out(words_.begin(), words_.begin() + 5);
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (const auto found = added_.find(k); found != added_.end())
        out.insert(out.end(), {4u << 16 | static_cast<std::uint32_t>(spv::Op::OpLine),
                               found->second.file, found->second.line, 0u});
      out.insert(out.end(), all_[k].words.begin(), all_[k].words.end());
    }
    return out;
  }

  const std::vector<std::uint32_t>& words_;
  PlacedModule module_;
  const std::vector<Placed>& all_ = module_.instructions;
  std::vector<Block> blocks_;  ///< of the function
  std::map<Id, std::size_t> block_of_;
  std::size_t block_ = 0;
  std::map<std::size_t, Place> added_;  ///< before instructions
};

}  // namespace

std::vector<std::uint32_t> with_branch_lines(std::vector<std::uint32_t> words) {
  if (words.size() < 5) return words;
  std::vector<std::uint32_t> changed = BranchLines(words).run();
  return changed.empty() ? std::move(words) : std::move(changed);
}

}  // namespace lockstep::spirv
