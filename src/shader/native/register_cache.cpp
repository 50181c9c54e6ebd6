#if LOCKSTEP_SPIRV_NATIVE

#include "shader/native/register_cache.hpp"

#include <algorithm>

#include "shader/native/layout.hpp"

namespace lockstep::spirv {
namespace {

using namespace Xbyak::util;

// The active lanes' masks have places that no register has.
constexpr std::uint32_t active_place = 0xffffff00;
constexpr std::uint32_t bool_slot = 64;

}  // namespace

RegisterCache::RegisterCache(VectorAssembler& as, const Program& program)
    : as_(as),
      words_(as.shape(4)),
      vectors_(program.chunks * std::uint32_t{chunk_lanes} / as.lanes()) {}

std::uint32_t RegisterCache::own_place(std::uint32_t at) const {
  if (loop_ == nullptr) return at;
  for (const OwnPlace& own : loop_->own) {
    if (at - own.from < own.bytes) return own.to + (at - own.from);
  }
  return at;
}
Xbyak::Address RegisterCache::home(std::uint32_t at) const {
  const bool is_slice = is_sliced() && loop_->uniform.count(at) == 0;
  return ptr[(is_slice ? r9 : r12) + own_place(at)];
}
Xbyak::Address RegisterCache::bits(std::uint32_t at) const {
  if (at >= active_place) return ptr[rbx + layout::active + (at - active_place)];
  return ptr[(is_sliced() ? rdi : r12) + at];
}

int RegisterCache::find(std::uint32_t at) const {
  for (int r = 0; r < registers(); ++r) {
    if (held(r).at == at) return r;
  }
  return -1;
}
/// Registers with the lowest rank are taken first: those whose value is used last, and those that need not be saved.
std::uint64_t RegisterCache::rank(int r) const {
  const Held& h = held(r);
  return h.at == nothing ? 0 : (std::uint64_t{far - h.next} << 1) + (h.unsaved ? 2 : 1);
}
int RegisterCache::take(int first, int last) {
  int found = -1;
  const int count = last - first;
  for (int k = 1; k <= count; ++k) {
    const int r = first + (next_ + k) % count;
    if ((in_use_ >> r & 1) != 0 || pinned(r) != nothing) continue;
    if (found < 0 || rank(r) < rank(found)) found = r;
  }
  if (found < 0) throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  next_ = found - first;
  save(found);
  held(found) = Held();
  in_use_ |= bit(found);
  return found;
}
Vector RegisterCache::use(int r) {
  in_use_ |= bit(r);
  return as_.vector(r);
}

Vector RegisterCache::fresh() { return as_.vector(take(0, as_.vectors())); }
Vector RegisterCache::value(std::uint32_t at, const Shape& shape) {
  if (const int found = find(at); found >= 0) return use(found);
  const Vector to = result(at);
  as_.load(to, home(at), shape);
  held(number_of(to)) = {at, false, false, 1, shape};
  return to;
}
Source RegisterCache::source(std::uint32_t at, const Shape& shape) {
  if (const int found = find(at); found >= 0) return Source(use(found));
  for (int r = 0; r < as_.vectors(); ++r) {
    const bool free = held(r).at == nothing && (in_use_ >> r & 1) == 0;
    if (pinned(r) == at || (free && pinned(r) == nothing)) return Source(value(at, shape));
  }
  return Source(home(at));
}
Vector RegisterCache::result(std::uint32_t at) {
  for (int r = 0; r < as_.vectors(); ++r) {
    if (pinned(r) == at) return use(r);
  }
  return fresh();
}
void RegisterCache::keep(const Vector& value, std::uint32_t at, const Shape& shape,
                         std::uint32_t copies) {
  const Held now{at, true, false, static_cast<std::uint8_t>(copies), shape};
  overwritten(at, now.bytes());
  held(number_of(value)) = now;
}
void RegisterCache::overwritten(std::uint32_t at, std::uint32_t bytes) {
  for (Held& h : now_) {
    if (h.at != nothing && h.at - at < bytes) h = Held();
  }
}

void RegisterCache::save(int r) {
  Held& h = held(r);
  if (!h.unsaved) return;
  if (h.mask) return save_bool(h.at / bool_slot * bool_slot);
  for (std::uint32_t k = 0; k < h.copies; ++k)
    as_.store(home(h.at + k * h.shape.bytes), as_.vector(r), h.shape);
  h.unsaved = false;
}
/// Bools are written in the halves in which they are read; in pieces the processor would wait for them.
void RegisterCache::save_bool(std::uint32_t at) {
  std::vector<MaskRegister> masks;
  const std::uint32_t count = is_sliced() ? loop_->slice : vectors_;
  for (std::uint32_t k = 0; k < count; ++k) {
    const int r = find(at + k * as_.mask_bytes());
    held(r).unsaved = false;
    masks.push_back(mask_register(r));
  }
  as_.bits_of_masks(r10, masks, false);
  if (is_sliced()) {
    const std::uint32_t lanes = count * as_.lanes();
    if (lanes == 8) return as_.mov(ptr[rdi + at], r10b);
    if (lanes == 16) return as_.mov(ptr[rdi + at], r10w);
    return as_.mov(ptr[rdi + at], r10d);
  }
  as_.mov(qword[r12 + at], r10);
  as_.mov(qword[r12 + at + 8], 0);
}
void RegisterCache::save_inside(std::uint32_t at, std::uint32_t bytes) {
  for (int r = 0; r < registers(); ++r) {
    if (held(r).at != nothing && held(r).at - at < bytes) save(r);
  }
}
void RegisterCache::save_all() {
  for (int r = 0; r < registers(); ++r) save(r);
}
void RegisterCache::load(const Contents& contents) {
  now_ = contents;
  for (int r = 0; r < registers(); ++r) {
    if (held(r).at == nothing) continue;
    if (held(r).mask)
      as_.load_mask(mask_register(r), bits(held(r).at));
    else
      as_.load(as_.vector(r), home(held(r).at), held(r).shape);
  }
}
void RegisterCache::load_active() {
  for (int r = 0; r < registers(); ++r) {
    if (held(r).at != nothing && held(r).at >= active_place)
      as_.load_mask(mask_register(r), bits(held(r).at));
  }
}
void RegisterCache::forget_active() {
  for (Held& h : now_) {
    if (h.at != nothing && h.at >= active_place) h = Held();
  }
}
void RegisterCache::first_to(const Xbyak::Reg32& to, std::uint32_t at) {
  if (const int found = find(at); found >= 0)
    as_.vmovd(to, Xbyak::Xmm(as_.vector(found).getIdx()));
  else
    as_.mov(to, dword[r12 + own_place(at)]);
}

MaskRegister RegisterCache::fresh_mask() {
  return mask_register(as_.masks() == 0 ? take(0, as_.vectors())
                                        : take(as_.vectors(), registers()));
}
MaskRegister RegisterCache::mask(std::uint32_t at) {
  if (const int found = find(at); found >= 0) {
    in_use_ |= bit(found);
    return mask_register(found);
  }
  const MaskRegister to = fresh_mask();
  as_.load_mask(to, bits(at));
  held(number_of(to)) = {at, false, true};
  return to;
}
bool RegisterCache::holds_masks(std::uint32_t bool_at, std::uint32_t vectors) const {
  for (std::uint32_t k = 0; k < vectors; ++k) {
    if (find(bool_at + k * as_.mask_bytes()) < 0) return false;
  }
  return true;
}
MaskRegister RegisterCache::active(std::uint32_t vector) {
  return mask(active_place + vector * as_.mask_bytes());
}
void RegisterCache::keep_mask(MaskRegister value, std::uint32_t at) {
  held(number_of(value)) = {at, true, true};
}

void RegisterCache::drop_mask(std::uint32_t at) {
  const int found = find(at);
  if (found < 0) return;
  locked_ &= ~bit(found);
  held(found) = Held();
}
void RegisterCache::save_masks() {
  for (int r = 0; r < registers(); ++r) {
    if (held(r).mask) save(r);
  }
}
int RegisterCache::free_for_masks() const {
  if (as_.masks() != 0) return as_.masks();
  return static_cast<int>(std::count_if(pins_.begin(), pins_.begin() + as_.vectors(),
                                        [](const Held& pin) { return pin.at == nothing; }));
}

void RegisterCache::pin(const std::vector<Held>& vectors) {
  pins_.fill(Held());
  std::copy(vectors.begin(), vectors.end(), pins_.begin());
}
void RegisterCache::load_pinned() {
  for (int r = 0; r < as_.vectors(); ++r) {
    if (pinned(r) == nothing) continue;
    as_.load(as_.vector(r), home(pinned(r)), pins_[static_cast<std::size_t>(r)].shape);
    held(r) = pins_[static_cast<std::size_t>(r)];
  }
}
void RegisterCache::restore_pinned() {
  for (int r = 0; r < registers(); ++r) {
    if (pinned(r) == nothing)
      save(r);
    else if (held(r).at != pinned(r))
      as_.load(as_.vector(r), home(pinned(r)), pins_[static_cast<std::size_t>(r)].shape);
  }
}

}  // namespace lockstep::spirv

#endif
