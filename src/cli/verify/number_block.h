// Which of 65,536 neighbouring numbers were seen, in as little memory as their order allows.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace {

// Runs while there are few of them, then a bitmap of 8 KiB, then nothing but "all". Positions are 0
// to 65,535. Threads: one.
class NumberBlock {
 public:
  static constexpr std::uint32_t kNumbers = 65'536;
  static constexpr std::size_t kMostRuns = 1024;  // 4 KiB: half a bitmap.

  // Positions [from, to) that are all seen, or all not.
  struct Stretch {
    std::uint32_t to;
    bool seen;
  };

  // The stretch that `from` lies in, from there on.
  Stretch stretch(std::uint32_t from) const;
  // Marks [from, to), none of which was seen before.
  void mark(std::uint32_t from, std::uint32_t to);

  std::uint32_t count() const { return count_; }
  std::uint32_t count_in(std::uint32_t from, std::uint32_t to) const;
  std::size_t memory_bytes() const;

 private:
  struct Run {
    std::uint16_t first;
    std::uint16_t last;
  };
  static constexpr std::uint32_t kWords = kNumbers / 64;

  bool is_full() const { return count_ == kNumbers; }
  std::vector<Run>::const_iterator run_at_or_behind(std::uint32_t position) const;
  Stretch stretch_of_bits(std::uint32_t from) const;
  void mark_run(std::uint32_t from, std::uint32_t to);
  void mark_bits(std::uint32_t from, std::uint32_t to);
  void to_bitmap();

  std::uint32_t count_ = 0;
  std::vector<Run> runs_;  // In order, apart by one at least; unless bits_ is there.
  std::unique_ptr<std::uint64_t[]> bits_;  // kWords.
};

}  // namespace millrace
