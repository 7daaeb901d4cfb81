// Blocks of memory that events lie in: ref-counted, pooled, counted against the process's budget.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_budget.h"

namespace millrace {

class MemoryWait;
class SlabPool;

// A block of memory. Bytes are written by one thread and never changed once a batch refers to them.
class Slab {
 public:
  char* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

 private:
  friend class SlabPool;
  friend class SlabPtr;
  Slab(SlabPool& pool, char* data, std::size_t capacity)
      : pool_(pool), data_(data), capacity_(capacity) {}

  SlabPool& pool_;
  char* const data_;
  const std::size_t capacity_;
  std::atomic<std::uint32_t> references_{0};
};

// Keeps a slab alive; the last one gives it back to its pool. Threads: any.
class SlabPtr {
 public:
  SlabPtr() = default;
  explicit SlabPtr(Slab* slab) : slab_(slab) { retain(); }
  SlabPtr(const SlabPtr& other) : slab_(other.slab_) { retain(); }
  SlabPtr(SlabPtr&& other) noexcept : slab_(std::exchange(other.slab_, nullptr)) {}
  SlabPtr& operator=(SlabPtr other) noexcept {
    std::swap(slab_, other.slab_);
    return *this;
  }
  ~SlabPtr() { release(); }

  Slab* get() const { return slab_; }
  Slab* operator->() const { return slab_; }
  explicit operator bool() const { return slab_ != nullptr; }
  friend bool operator==(const SlabPtr& a, const SlabPtr& b) { return a.slab_ == b.slab_; }

 private:
  void retain();
  void release();
  Slab* slab_ = nullptr;
};

// Makes slabs and takes them back. At most `kSpareBytes` of unused ones are kept. Outlives every
// slab. Threads: any.
class SlabPool {
 public:
  static constexpr std::size_t kSlabBytes = std::size_t{256} << 10;
  static constexpr std::size_t kLargeSlabBytes = std::size_t{1} << 20;
  static constexpr std::size_t kSpareBytes = std::size_t{16} << 20;

  explicit SlabPool(ByteBudget& budget) : budget_(budget) {}
  ~SlabPool();
  SlabPool(const SlabPool&) = delete;
  SlabPool& operator=(const SlabPool&) = delete;

  // A slab of kSlabBytes, or of `at_least` where that is more. Null when the budget is spent: the
  // caller stops reading and asks again later.
  SlabPtr acquire(std::size_t at_least = 0);
  // A slab of kLargeSlabBytes. Null when that would take more than half of the budget.
  SlabPtr acquire_large();
  // A slab of just `capacity` bytes, not pooled unless that is one of the sizes above.
  SlabPtr acquire_exact(std::size_t capacity);
  // Like acquire(), past the budget if need be.
  SlabPtr acquire_always(std::size_t at_least = 0);
  ByteBudget& budget() { return budget_; }

 private:
  friend class SlabPtr;
  void give_back(Slab* slab);
  SlabPtr make(std::size_t capacity);

  using Spares = std::vector<Slab*>;
  Spares* spares_of(std::size_t capacity);
  static void destroy(Slab* slab);

  ByteBudget& budget_;
  std::mutex mutex_;  // Guards what follows.
  Spares spares_;
  Spares large_spares_;
  std::size_t spare_bytes_ = 0;
};

// Where a thread writes next: one slab in use, filled from front to back. Behind a slab that took
// much at once comes a large one: of a socket or pipe that holds much, few large reads cost half of
// many small ones. Threads: its owner's alone.
class SlabCursor {
 public:
  // With `overshoot` room() never comes back empty: for the little that finishes what was read.
  // `wait`, which outlives it, hears how each fresh slab was asked for.
  explicit SlabCursor(SlabPool& pool, bool overshoot = false, MemoryWait* wait = nullptr)
      : pool_(pool), overshoot_(overshoot), wait_(wait) {}

  // Free bytes behind the position, `at_least` of them; in a fresh slab where the current one has
  // less. Empty when the budget is spent. Valid until the next call of room() or take().
  std::span<char> room(std::size_t at_least);
  // The first `count` bytes of the last room() are used.
  void take(std::size_t count) {
    position_ += count;
    most_taken_ = std::max(most_taken_, count);
  }
  const SlabPtr& slab() const { return slab_; }
  SlabPool& pool() { return pool_; }

 private:
  SlabPtr fresh(std::size_t at_least);

  SlabPool& pool_;
  const bool overshoot_;
  MemoryWait* const wait_;
  SlabPtr slab_;
  std::size_t position_ = 0;
  std::size_t most_taken_ = 0;  // At once, of this slab.
};

}  // namespace millrace
