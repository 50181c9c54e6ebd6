#include "judgement/known_paths.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::judgement {
namespace {

constexpr std::size_t most_paths = 400000;

/// The next combination of choices; nothing after the last one.
std::vector<std::uint32_t> next_after(std::vector<std::uint32_t> choices,
                                      const std::vector<std::uint32_t>& options) {
  for (std::size_t k = choices.size(); k-- > 0;) {
    if (choices[k] + 1 >= options[k]) continue;
    ++choices[k];
    choices.resize(k + 1);
    return choices;
  }
  return {};
}

}  // namespace

KnownPaths::Outcome KnownPaths::follow() {
  for (std::size_t runs = 0; runs < most_runs && paths_ < most_paths; ++runs) {
    GuidedRun run(rerun_, together_, &updates_, next_, end_);
    run.run();
    if (!run.is_clear() || !updates_.are_understood()) return Outcome::unknown;
    if (depends_on_others(run)) return Outcome::dependent;
    if (!updates_.are_those_of(run) || !add(run)) return Outcome::unknown;
    if (over_.size() == run.paths().size()) return Outcome::complete;
  }
  return Outcome::unknown;
}

bool KnownPaths::depends_on_others(const GuidedRun& run) {
  return std::ranges::any_of(run.loads(), [&](const GuidedRun::Load& load) {
    const auto [before, is_new] = loaded_.try_emplace({load.unit, load.at, load.number}, load.bits);
    return !is_new && before->second != load.bits;
  });
}

bool KnownPaths::add(const GuidedRun& run) {
  for (const auto& [unit, path] : run.paths()) {
    if (over_.contains(unit)) continue;
    std::vector<std::uint32_t> decided = next_[unit];
    decided.resize(path.options.size());
    if (!add(unit, path, decided)) return false;
    next_[unit] = next_after(decided, path.options);
    if (next_[unit].empty()) over_.insert(unit);
  }
  return true;
}

bool KnownPaths::add(Unit unit, const Path& path, const std::vector<std::uint32_t>& decided) {
  KnownPath known{.decisions = decided, .turns = {}, .missing = {}};
  for (const Turn& turn : path.turns) {
    if (turn.returned)
      known.turns.push_back(turn);
    else
      updated_.insert(turn.cell.at);
  }
  const std::optional<Share> share = share_of(known);
  std::map<Location, Store> last;
  for (const Store& store : path.stores) last.insert_or_assign(store.at, store);
  for (const auto& [at, store] : last) {
    if (at.part == Location::in_shared_memory) continue;
    const std::optional<bool> is_there = compare_(store);
    if (!note_store(store, unit, share, is_there.has_value())) return false;
    if (is_there == false) known.missing.push_back(at);
  }
  known_[unit].push_back(std::move(known));
  ++paths_;
  return true;
}

std::optional<KnownPaths::Share> KnownPaths::share_of(const KnownPath& path) const {
  if (path.turns.size() != 1) return {};
  const Turn& turn = path.turns[0];
  const Update& update = updates_.all().at(turn.cell);
  if (update.kind == Update::Kind::counter) {
    const std::uint64_t number = update.number_of(*turn.returned);
    return Share{turn.cell, number, number + 1};
  }
  if (update.kind != Update::Kind::tiles) return {};
  const std::uint64_t begin = *turn.returned - update.initial;
  return Share{turn.cell, begin, begin + turn.value};
}

bool KnownPaths::note_store(const Store& store, Unit unit, const std::optional<Share>& share,
                            bool comparable) {
  const std::size_t size = sizes_.try_emplace(store.at.part, store.bytes).first->second;
  if (size != store.bytes || store.at.byte % size != 0) return false;
  const auto [entry, is_new] =
      writers_.try_emplace(store.at, Writers{.first = unit, .common = share});
  Writers& writers = entry->second;
  writers.several = writers.several || writers.first != unit;
  writers.comparable = writers.comparable && comparable;
  if (is_new || !writers.common) return true;
  if (!share || share->cell != writers.common->cell) {
    writers.common.reset();
    return true;
  }
  writers.common->begin = std::max(writers.common->begin, share->begin);
  writers.common->end = std::min(writers.common->end, share->end);
  return true;
}

bool KnownPaths::is_exclusive(const Location& at) const {
  const auto found = writers_.find(at);
  if (found == writers_.end() || !found->second.comparable || updated_.contains(at)) return false;
  const Writers& writers = found->second;
  return !writers.several || (writers.common && writers.common->begin < writers.common->end);
}

std::size_t KnownPaths::misses(const KnownPath& path) const {
  auto count = static_cast<std::size_t>(
      std::ranges::count_if(path.missing, [&](const Location& at) { return is_exclusive(at); }));
  for (const Turn& turn : path.turns) {
    const Update& update = updates_.all().at(turn.cell);
    if (update.kind == Update::Kind::claim && *turn.returned == update.initial &&
        turn.value != update.last)
      ++count;
  }
  return count;
}

}  // namespace lockstep::judgement
