// The bytes of a file in the fake file system.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Kept in pages that copies share until one of them writes: a copy of a large file costs a pointer
// a page, and what was never written costs no page. Threads: its owner's lock.
class FakeBytes {
 public:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kSector = 512;
  static constexpr unsigned kAllSectors = 0xFF;
  using Page = std::array<char, kPage>;
  using PagePtr = std::shared_ptr<const Page>;  // Null: zeros.

  std::size_t size() const { return size_; }
  // What comes to it reads as zeros.
  void resize(std::size_t size);
  // Within the size. Gives the page as it is then.
  PagePtr write(std::size_t page, std::size_t offset_in_page, std::string_view bytes);
  std::size_t read(std::span<char> space, std::size_t offset) const;
  std::string text() const;

  // A page taken over from another copy, or of it the sectors whose bits are set; beyond the size
  // too, where it is seen once the size has grown over it.
  PagePtr page(std::size_t index) const;
  void set_page(std::size_t index, PagePtr content);
  void set_sectors(std::size_t index, const PagePtr& content, unsigned sectors);
  // Drops what lies beyond the size.
  void trim();

 private:
  std::size_t size_ = 0;
  std::vector<PagePtr> pages_;
};

}  // namespace millrace
