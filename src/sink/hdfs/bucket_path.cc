#include "sink/hdfs/bucket_path.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "config/utf8.h"

namespace millrace {
namespace {

using Kind = EventText::Piece::Kind;

constexpr std::string_view kTimestamp = "timestamp";
constexpr std::int64_t kMostMs = 253'402'300'799'999;  // The end of the year 9999.
// HDFS takes 255 bytes; the file's number and suffixes come behind.
constexpr std::size_t kMostNameBytes = 255;
constexpr std::size_t kMostPrefixBytes = 180;
constexpr std::size_t kMostPathBytes = 7000;

bool any_letter(const EventText& text, bool (*test)(char)) {
  return std::any_of(text.pieces().begin(), text.pieces().end(), [&](const auto& piece) {
    return piece.kind == Kind::kTime && test(piece.letter);
  });
}

std::size_t longest_name(std::string_view path) {
  std::size_t longest = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    longest = std::max(longest, end);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return longest;
}

}  // namespace

std::string safe_path(std::string_view path, bool escape_colons) {
  const bool is_text = is_valid_utf8(path);
  std::string safe;
  const bool is_absolute = path.starts_with('/');
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty()) {
      continue;
    }
    if (!safe.empty() || is_absolute) {
      safe += '/';
    }
    const bool leads_away = name == "." || name == "..";
    for (const char c : name) {
      const bool is_bad = leads_away || c == '\0' || (c == ':' && escape_colons) ||
                          (!is_text && static_cast<unsigned char>(c) >= 0x80);
      safe += is_bad ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
  }
  return safe.empty() && is_absolute ? "/" : safe;
}

BucketPath::BucketPath(Options options)
    : options_(std::move(options)),
      needs_time_(options_.folder.needs_time() || options_.prefix.needs_time()) {
  const auto seconds = [](char letter) { return shows_seconds(letter); };
  if (!any_letter(options_.folder, seconds) && !any_letter(options_.prefix, seconds)) {
    step_seconds_ = 60;
  }
  for (const EventText* const text : {&options_.folder, &options_.prefix}) {
    for (const EventText::Piece& piece : text->pieces()) {
      has_raw_time_ = has_raw_time_ || piece.kind == Kind::kRawTime;
      if (piece.kind == Kind::kHeader) {
        values_.push_back({piece.text, {}});
      }
    }
  }
}

void BucketPath::start_batch(std::int64_t now_ms) {
  now_ms_ = now_ms;
  block_ = {};
}

BucketPath::Step BucketPath::next(const EventRef& event) {
  const std::string_view block = event.header_block();
  if (has_last_ && block.data() == block_.data() && block.size() == block_.size()) {
    return Step::kSame;
  }
  bool is_other = !has_last_;
  if (needs_time_) {
    std::int64_t ms = 0;
    if (!read_time(event, ms)) {
      return Step::kRejected;
    }
    is_other |= (ms < window_begin_ * 1000 || ms >= window_end_ * 1000) && enter_window(ms);
    is_other |= has_raw_time_ && ms != ms_;
    ms_ = ms;
  }
  is_other |= take_headers(event);
  block_ = block;
  if (!is_other) {
    return Step::kSame;
  }
  has_last_ = render();
  return has_last_ ? Step::kOther : Step::kRejected;
}

bool BucketPath::read_time(const EventRef& event, std::int64_t& ms) {
  if (options_.use_local_time) {
    ms = now_ms_;
    return true;
  }
  const std::optional<std::string_view> text = event.headers().find(kTimestamp);
  if (!text) {
    return reject(
        "the event has no header timestamp, which hdfs.path or hdfs.filePrefix needs: set "
        "hdfs.useLocalTimeStamp = true, or add the timestamp interceptor to the source");
  }
  const char* const end = text->data() + text->size();
  const auto [rest, bad] = std::from_chars(text->data(), end, ms);
  if (bad != std::errc() || rest != end || ms > kMostMs || ms < -kMostMs ||
      (ms <= 0 && options_.time.unit != RoundUnit::kNone)) {
    return reject("the header timestamp is no number of milliseconds since 1970");
  }
  return true;
}

// Whether the time's pieces may have changed.
bool BucketPath::enter_window(std::int64_t ms) {
  const std::int64_t seconds =
      std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(ms)).count();
  const LocalTime was = local_;
  local_ = local_time(options_.time.zone, options_.time.round(seconds));
  // Windows lie where the zone's clocks show whole ones.
  const std::int64_t shown = seconds + options_.time.zone.offset_at(seconds);
  const std::int64_t into = ((shown % step_seconds_) + step_seconds_) % step_seconds_;
  window_begin_ = seconds - into;
  window_end_ = window_begin_ + step_seconds_;
  return local_.seconds != was.seconds || local_.offset != was.offset;
}

bool BucketPath::take_headers(const EventRef& event) {
  bool is_other = false;
  for (Value& value : values_) {
    const std::string_view text = event.headers().find(value.name).value_or(std::string_view());
    if (value.text != text) {
      value.text = text;
      is_other = true;
    }
  }
  return is_other;
}

bool BucketPath::render() {
  std::size_t value = 0;
  folder_.clear();
  append(options_.folder, value, folder_);
  folder_ = safe_path(folder_, options_.escape_colons);
  prefix_.clear();
  append(options_.prefix, value, prefix_);
  prefix_ = safe_path(prefix_, options_.escape_colons);
  prefix_.erase(0, prefix_.starts_with('/') ? 1 : 0);
  if (longest_name(folder_) > kMostNameBytes || longest_name(prefix_) > kMostPrefixBytes ||
      folder_.size() + prefix_.size() > kMostPathBytes) {
    return reject(fmt::format(
        "the event's headers make a path that is too long: a folder's name has {} bytes at most, "
        "hdfs.filePrefix {}, all of it {}",
        kMostNameBytes, kMostPrefixBytes, kMostPathBytes));
  }
  return true;
}

void BucketPath::append(const EventText& text, std::size_t& value, std::string& out) const {
  for (const EventText::Piece& piece : text.pieces()) {
    switch (piece.kind) {
      case Kind::kLiteral:
        out += piece.text;
        break;
      case Kind::kHeader:
        out += values_[value++].text;
        break;
      case Kind::kTime:
        append_time(out, piece.letter, local_);
        break;
      case Kind::kRawTime:
        out += std::to_string(ms_);
        break;
    }
  }
}

bool BucketPath::reject(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

}  // namespace millrace
