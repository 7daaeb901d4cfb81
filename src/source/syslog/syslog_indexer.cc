#include "source/syslog/syslog_indexer.h"

#include "source/syslog/header_block_writer.h"

namespace millrace {
namespace {

constexpr std::string_view kStatus = "flume.syslog.status";

}  // namespace

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
  HeaderBlockWriter writer(block, kNamesAndNumbers + message.priority_text.size() +
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
