#include "source/syslog/syslog_indexer.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"

namespace millrace {
namespace {

constexpr std::string_view kStatus = "flume.syslog.status";
constexpr int kMostOwnHeaders = 7;

// Writes the headers of one block, in Avro map encoding; see headers.h.
class BlockWriter {
 public:
  // `most`: bytes of all names and values at most.
  BlockWriter(std::string& block, std::size_t most) : block_(block) {
    block_.resize(most + 2 + std::size_t{2 * kMostOwnHeaders * kLongestVarint});
    next_ = block_.data() + 1;
  }

  void add(std::string_view name, std::string_view value) {
    put(name);
    put(value);
    ++count_;
  }
  void add(std::string_view name, std::int64_t value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    add(name, std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  void finish(const SyslogOrigin& origin) {
    next_ = std::copy(origin.header_pairs.begin(), origin.header_pairs.end(), next_);
    *next_++ = 0;
    // One byte, as there are at most 63 headers; see SyslogOrigin::add_header().
    block_[0] = static_cast<char>((count_ + origin.header_count) * 2);
    block_.resize(static_cast<std::size_t>(next_ - block_.data()));
  }

 private:
  static constexpr std::size_t kLongestVarint = 10;

  void put(std::string_view bytes) {
    next_ = put_avro_long(next_, static_cast<std::int64_t>(bytes.size()));
    std::memcpy(next_, bytes.data(), bytes.size());
    next_ += bytes.size();
  }

  std::string& block_;
  char* next_;
  int count_ = 0;
};

}  // namespace

void SyslogOrigin::add_header(std::string_view name, std::string_view value) {
  if (header_count < 63 - kMostOwnHeaders) {
    append_avro_bytes(header_pairs, name);
    append_avro_bytes(header_pairs, value);
    ++header_count;
  }
}

Result<> SyslogOrigin::set_charset(const std::string& charset) {
  to_utf8 = from_utf8 = nullptr;
  if (!is_utf8(charset)) {
    to_utf8 = std::make_shared<TextConverter>(TRY(TextConverter::make(charset, "UTF-8")));
    from_utf8 = std::make_shared<TextConverter>(TRY(TextConverter::make("UTF-8", charset)));
  }
  return {};
}

SyslogIndexer::SyslogIndexer(SyslogDialect dialect)
    : dialect_(std::move(dialect)),
      time_(dialect_.rules == SyslogDialect::Rules::kPattern ? SyslogZone::kLocal
                                                             : SyslogZone::kUtc) {}

void SyslogIndexer::start_read(const SyslogOrigin& origin, std::int64_t now_ms) {
  origin_ = &origin;
  if (origin.header_pairs != origin_pairs_ || origin.to_utf8.get() != origin_converter_) {
    origin_pairs_ = origin.header_pairs;
    origin_converter_ = origin.to_utf8.get();
    forget();
  }
  constexpr std::int64_t kDayMs = 86'400'000;
  if ((whole_depends_on_now_ && now_ms != time_.now_ms()) ||
      now_ms / kDayMs != time_.now_ms() / kDayMs) {
    forget();
  }
  time_.set_now(now_ms);
}

void SyslogIndexer::start_batch() {
  whole_.stored = priority_.stored = invalid_.stored = {};
}

void SyslogIndexer::forget() {
  whole_ = priority_ = invalid_ = {};
  whole_depends_on_now_ = false;
}

void SyslogIndexer::add_other(EventBatch::Builder& builder, const FramedLine& line) {
  if (origin_->to_utf8) {
    add_converted(builder, line);
    return;
  }
  const SyslogMessage message = parse(line.text);
  switch (message.form) {
    case SyslogForm::kWhole:
      add_whole(builder, line, message);
      break;
    case SyslogForm::kPriority:
      add_priority(builder, line, message);
      break;
    case SyslogForm::kMalformed:
      add_invalid(builder, line);
      break;
  }
}

SyslogMessage SyslogIndexer::parse(std::string_view line) {
  if (dialect_.rules == SyslogDialect::Rules::kPosition) {
    return parse_by_position(line, time_);
  }
  SyslogMessage message;
  if (dialect_.custom && scan_priority(line, 3, message) &&
      dialect_.custom->match(line, time_, message)) {
    return message;
  }
  return parse_by_pattern(line, time_);
}

void SyslogIndexer::add_whole(EventBatch::Builder& builder, const FramedLine& line,
                              const SyslogMessage& message) {
  const std::string_view body = body_of(builder, line.text, message);
  if (line.cut) {
    ++counts_.incomplete;
    std::string block;
    encode(message, Status::kIncomplete, block);
    builder.add(body, builder.store_header_block(block));
    return;
  }
  encode(message, Status::kGood, whole_.block);
  whole_.stored = {};
  whole_.key.clear();
  whole_depends_on_now_ = message.depends_on_now;
  // A body that is the line's end may be found in the next line at the same place.
  const bool in_place = body.data() + body.size() == line.text.data() + line.text.size();
  if (in_place && !message.text.empty() && !dialect_.custom) {
    whole_.key = line.text.substr(0, message.head_size);
    shared_skip_ = line.text.size() - body.size();
  }
  builder.add(body, stored(builder, whole_));
}

void SyslogIndexer::add_priority(EventBatch::Builder& builder, const FramedLine& line,
                                 const SyslogMessage& message) {
  counts_.incomplete += line.cut ? 1 : 0;
  const char key[] = {static_cast<char>(message.priority / 8),
                      static_cast<char>(message.priority % 8), line.cut ? '-' : '+'};
  if (priority_.key != std::string_view(key, sizeof key)) {
    priority_.key.assign(key, sizeof key);
    priority_.stored = {};
    encode(message, line.cut ? Status::kIncomplete : Status::kGood, priority_.block);
  }
  builder.add(line.text, stored(builder, priority_));
}

void SyslogIndexer::add_invalid(EventBatch::Builder& builder, const FramedLine& line) {
  ++counts_.invalid;
  if (invalid_.block.empty()) {
    encode({}, Status::kInvalid, invalid_.block);
  }
  builder.add(line.text, stored(builder, invalid_));
}

// The headers come from the line in UTF-8, the body stays in the line's own encoding, as in Flume.
void SyslogIndexer::add_converted(EventBatch::Builder& builder, const FramedLine& line) {
  const auto utf8 = origin_->to_utf8->convert(line.text);
  const SyslogMessage message = utf8 ? parse(*utf8) : SyslogMessage{};
  if (message.form == SyslogForm::kMalformed) {
    add_invalid(builder, line);
    return;
  }
  std::string block;
  encode(message, line.cut ? Status::kIncomplete : Status::kGood, block);
  counts_.incomplete += line.cut ? 1 : 0;
  std::string_view body = line.text;
  if (!dialect_.keep.all && !message.text.empty()) {
    const std::string text = kept_head(dialect_.keep, message).append(message.text);
    body = builder.store_header_block(origin_->from_utf8->convert(text).value_or(line.text));
  }
  builder.add(body, builder.store_header_block(block));
}

// The message with what is kept of the head in front of it; the whole line when there is no message
// (Flume 1.11 takes that for a failure to parse). In the line itself wherever the kept parts lie
// there one behind the other.
std::string_view SyslogIndexer::body_of(EventBatch::Builder& builder, std::string_view line,
                                        const SyslogMessage& message) {
  if (dialect_.keep.all) {
    return line;
  }
  const bool by_position = dialect_.rules == SyslogDialect::Rules::kPosition;
  std::string kept;
  if (!dialect_.keep.none() && !(by_position && message.text.empty())) {
    kept = kept_head(dialect_.keep, message);
  }
  if (kept.empty()) {
    return message.text.empty() ? line : message.text;
  }
  const std::string_view head = line.substr(0, message.head_size);
  if (head.ends_with(kept)) {
    return line.substr(head.size() - kept.size());
  }
  return builder.store_header_block(kept.append(message.text));
}

void SyslogIndexer::encode(const SyslogMessage& message, Status status, std::string& block) const {
  const bool by_position = dialect_.rules == SyslogDialect::Rules::kPosition;
  constexpr std::size_t kNamesAndNumbers = 160;
  BlockWriter writer(block, kNamesAndNumbers + message.priority_text.size() +
                                message.version.size() + message.host_text.size() +
                                origin_->header_pairs.size());
  if (status != Status::kInvalid || !by_position) {
    writer.add("Facility", message.priority / 8);
    writer.add("Severity", message.priority % 8);
  }
  if (message.form == SyslogForm::kWhole) {
    if (!message.priority_text.empty()) {
      writer.add(by_position ? "Priority" : "priority", message.priority_text);
    }
    if (!message.version.empty()) {
      writer.add(by_position ? "Version" : "version", message.version);
    }
    if (message.timestamp_ms) {
      writer.add("timestamp", *message.timestamp_ms);
    }
    if (message.has_host) {
      writer.add("host", message.host_text);
    }
  }
  if (status != Status::kGood) {
    writer.add(kStatus, status == Status::kInvalid ? "Invalid" : "Incomplete");
  }
  writer.finish(*origin_);
}

}  // namespace millrace
