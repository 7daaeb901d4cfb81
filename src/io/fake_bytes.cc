#include "io/fake_bytes.h"

#include <algorithm>
#include <cstring>

namespace millrace {
namespace {

std::shared_ptr<FakeBytes::Page> copy_of(const FakeBytes::PagePtr& page) {
  return page != nullptr ? std::make_shared<FakeBytes::Page>(*page)
                         : std::make_shared<FakeBytes::Page>();
}

}  // namespace

void FakeBytes::resize(std::size_t size) {
  const bool is_cut = size < size_;
  size_ = size;
  if (is_cut) {
    trim();
  }
}

void FakeBytes::trim() {
  pages_.resize(std::min(pages_.size(), (size_ + kPage - 1) / kPage));
  const std::size_t tail = size_ % kPage;
  if (tail > 0 && page(size_ / kPage) != nullptr) {
    const auto cut = copy_of(pages_[size_ / kPage]);
    std::fill(cut->begin() + static_cast<std::ptrdiff_t>(tail), cut->end(), '\0');
    pages_[size_ / kPage] = cut;
  }
}

FakeBytes::PagePtr FakeBytes::write(std::size_t page_index, std::size_t offset_in_page,
                                    std::string_view bytes) {
  const auto changed = copy_of(page(page_index));
  std::memcpy(changed->data() + offset_in_page, bytes.data(), bytes.size());
  set_page(page_index, changed);
  return changed;
}

std::size_t FakeBytes::read(std::span<char> space, std::size_t offset) const {
  const std::size_t count = offset >= size_ ? 0 : std::min(space.size(), size_ - offset);
  for (std::size_t done = 0; done < count;) {
    const std::size_t at = offset + done;
    const std::size_t part = std::min(count - done, kPage - at % kPage);
    const PagePtr from = page(at / kPage);
    if (from != nullptr) {
      std::memcpy(space.data() + done, from->data() + at % kPage, part);
    } else {
      std::memset(space.data() + done, 0, part);
    }
    done += part;
  }
  return count;
}

std::string FakeBytes::text() const {
  std::string all(size_, '\0');
  read(all, 0);
  return all;
}

FakeBytes::PagePtr FakeBytes::page(std::size_t index) const {
  return index < pages_.size() ? pages_[index] : nullptr;
}

void FakeBytes::set_page(std::size_t index, PagePtr content) {
  pages_.resize(std::max(pages_.size(), index + 1));
  pages_[index] = std::move(content);
}

void FakeBytes::set_sectors(std::size_t index, const PagePtr& content, unsigned sectors) {
  if (sectors == kAllSectors) {
    set_page(index, content);
    return;
  }
  const auto changed = copy_of(page(index));
  for (std::size_t sector = 0; sector * kSector < kPage; ++sector) {
    if ((sectors >> sector & 1U) != 0) {
      std::memcpy(changed->data() + sector * kSector, content->data() + sector * kSector, kSector);
    }
  }
  set_page(index, changed);
}

}  // namespace millrace
