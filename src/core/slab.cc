#include "core/slab.h"

#include <algorithm>
#include <new>

#include "core/memory_wait.h"

namespace millrace {
namespace {

constexpr std::align_val_t kAlignment{4096};

}  // namespace

void SlabPtr::retain() {
  if (slab_ != nullptr) {
    slab_->references_.fetch_add(1, std::memory_order_relaxed);
  }
}

void SlabPtr::release() {
  if (slab_ != nullptr && slab_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    slab_->pool_.give_back(slab_);
  }
}

SlabPool::~SlabPool() {
  std::for_each(spares_.begin(), spares_.end(), destroy);
  std::for_each(large_spares_.begin(), large_spares_.end(), destroy);
}

void SlabPool::destroy(Slab* slab) {
  ::operator delete(slab->data_, kAlignment);
  delete slab;
}

// Null for a size that is not pooled.
SlabPool::Spares* SlabPool::spares_of(std::size_t capacity) {
  switch (capacity) {
    case kSlabBytes:
      return &spares_;
    case kLargeSlabBytes:
      return &large_spares_;
    default:
      return nullptr;
  }
}

SlabPtr SlabPool::acquire(std::size_t at_least) {
  return acquire_exact(std::max(at_least, kSlabBytes));
}

SlabPtr SlabPool::acquire_large() {
  const bool fits = budget_.used() + kLargeSlabBytes <= budget_.limit() / 2;
  return fits ? acquire_exact(kLargeSlabBytes) : SlabPtr();
}

SlabPtr SlabPool::acquire_exact(std::size_t capacity) {
  return budget_.try_reserve(capacity) ? make(capacity) : SlabPtr();
}

SlabPtr SlabPool::acquire_always(std::size_t at_least) {
  const std::size_t capacity = std::max(at_least, kSlabBytes);
  budget_.reserve(capacity);
  return make(capacity);
}

SlabPtr SlabPool::make(std::size_t capacity) {
  if (Spares* const spares = spares_of(capacity)) {
    const std::lock_guard lock(mutex_);
    if (!spares->empty()) {
      Slab* slab = spares->back();
      spares->pop_back();
      spare_bytes_ -= capacity;
      return SlabPtr(slab);
    }
  }
  char* data = static_cast<char*>(::operator new(capacity, kAlignment));
  return SlabPtr(new Slab(*this, data, capacity));
}

void SlabPool::give_back(Slab* slab) {
  budget_.release(slab->capacity_);
  if (Spares* const spares = spares_of(slab->capacity_)) {
    const std::lock_guard lock(mutex_);
    if (spare_bytes_ + slab->capacity_ <= kSpareBytes) {
      spares->push_back(slab);
      spare_bytes_ += slab->capacity_;
      return;
    }
  }
  destroy(slab);
}

SlabPtr SlabCursor::fresh(std::size_t at_least) {
  constexpr std::size_t kMuch = SlabPool::kSlabBytes / 8;
  if (most_taken_ >= kMuch && at_least <= SlabPool::kLargeSlabBytes) {
    if (SlabPtr large = pool_.acquire_large()) {
      return large;
    }
  }
  return overshoot_ ? pool_.acquire_always(at_least) : pool_.acquire(at_least);
}

std::span<char> SlabCursor::room(std::size_t at_least) {
  if (!slab_ || slab_->capacity() - position_ < at_least) {
    SlabPtr next = fresh(at_least);
    if (wait_ != nullptr && next) {
      wait_->granted();
    } else if (wait_ != nullptr) {
      wait_->refused(std::max(at_least, SlabPool::kSlabBytes));
    }
    if (!next) {
      return {};
    }
    slab_ = std::move(next);
    position_ = 0;
    most_taken_ = 0;
  }
  return {slab_->data() + position_, slab_->capacity() - position_};
}

}  // namespace millrace
