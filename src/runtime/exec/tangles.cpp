#include <lockstep/exec/tangles.hpp>

namespace lockstep {

void Tangles::copy_many(const Tangles& other) { many_ = other.many_; }

void Tangles::resize_many(std::size_t count) { many_.resize(count); }

void Tangles::push_back_many(const Tangle& tangle) {
  if (count_ == most_few) many_.assign(few_, few_ + most_few);
  many_.push_back(tangle);
}

}  // namespace lockstep
