#include "core/slab.h"

#include <algorithm>
#include <new>

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
  for (Slab* slab : spares_) {
    ::operator delete(slab->data_, kAlignment);
    delete slab;
  }
}

SlabPtr SlabPool::acquire(std::size_t at_least) {
  return acquire_exact(std::max(at_least, kSlabBytes));
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
  if (capacity == kSlabBytes) {
    const std::lock_guard lock(mutex_);
    if (!spares_.empty()) {
      Slab* slab = spares_.back();
      spares_.pop_back();
      return SlabPtr(slab);
    }
  }
  char* data = static_cast<char*>(::operator new(capacity, kAlignment));
  return SlabPtr(new Slab(*this, data, capacity));
}

void SlabPool::give_back(Slab* slab) {
  budget_.release(slab->capacity_);
  if (slab->capacity_ == kSlabBytes) {
    const std::lock_guard lock(mutex_);
    if (spares_.size() < kSpares) {
      spares_.push_back(slab);
      return;
    }
  }
  ::operator delete(slab->data_, kAlignment);
  delete slab;
}

std::span<char> SlabCursor::room(std::size_t at_least) {
  if (!slab_ || slab_->capacity() - position_ < at_least) {
    SlabPtr fresh = overshoot_ ? pool_.acquire_always(at_least) : pool_.acquire(at_least);
    if (!fresh) {
      return {};
    }
    slab_ = std::move(fresh);
    position_ = 0;
  }
  return {slab_->data() + position_, slab_->capacity() - position_};
}

}  // namespace millrace
