#include "core/header_appender.h"

#include <algorithm>

#include "base/bytes.h"

namespace millrace {
namespace {

constexpr std::size_t kLongestLong = 10;  // Bytes of an Avro long.

char* put_text(char* out, std::string_view text) {
  out = put_avro_long(out, static_cast<std::int64_t>(text.size()));
  return std::copy(text.begin(), text.end(), out);
}

}  // namespace

void HeaderAppender::look_at(const EventRef& event) {
  if (event.headers_data == block_) {
    return;
  }
  block_ = event.headers_data;
  const HeaderView headers = event.headers();
  headers_ = headers.size();
  has_any_ = false;
  for (const auto& [key, value] : headers) {
    has_any_ = has_any_ || std::find(names_.begin(), names_.end(), key) != names_.end();
  }
  char count[kLongestLong];
  const std::size_t before =
      static_cast<std::size_t>(put_avro_long(count, static_cast<std::int64_t>(headers_)) - count);
  encoded_ = headers_ == 0 ? std::string_view()
                           : event.header_block().substr(before, event.headers_size - before - 1);
}

bool HeaderAppender::has_any(const EventRef& event) {
  look_at(event);
  return has_any_;
}

void HeaderAppender::set(EventRef& event, Values values) {
  look_at(event);
  const std::string_view block = has_any_ ? replaced(event, values) : appended(values);
  if (!block.empty()) {
    event.headers_data = block.data();
    event.headers_size = static_cast<std::uint32_t>(block.size());
  }
}

std::string_view HeaderAppender::replaced(const EventRef& event, Values values) {
  editor_.clear();
  for (const auto& [key, value] : event.headers()) {
    editor_.set(key, value);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) {
      editor_.set(names_[i], *values[i]);
    }
  }
  return batch_.store_headers(editor_);
}

// Empty when there is no value.
std::string_view HeaderAppender::appended(Values values) {
  std::size_t count = headers_;
  std::size_t bound = encoded_.size() + kLongestLong + 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) {
      ++count;
      bound += names_[i].size() + values[i]->size() + 2 * kLongestLong;
    }
  }
  if (count == headers_) {
    return {};
  }
  char* const begin = batch_.header_room(bound).data();
  char* out = put_avro_long(begin, static_cast<std::int64_t>(count));
  out = std::copy(encoded_.begin(), encoded_.end(), out);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) {
      out = put_text(put_text(out, names_[i]), *values[i]);
    }
  }
  *out++ = 0;
  return batch_.take_header_bytes(static_cast<std::size_t>(out - begin));
}

}  // namespace millrace
