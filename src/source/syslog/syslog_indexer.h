// Makes events of syslog lines where they lie: headers from the head, body from the rest.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/event_batch.h"
#include "source/line_framer.h"
#include "source/syslog/custom_format.h"
#include "source/syslog/keep_fields.h"
#include "source/syslog/syslog_origin.h"
#include "source/syslog/syslog_parser.h"

namespace millrace {

// How the lines of a source are read, and what its headers are called.
struct SyslogDialect {
  enum class Rules { kPattern, kPosition };
  Rules rules = Rules::kPattern;
  KeepFields keep;
  std::optional<CustomFormat> custom{};  // Tried before the built-in patterns.
};

// Adds events to the builder of a batch. The headers of a line whose head is that of the line
// before are not read again: both events share one block. Bad lines become events too, with
// `flume.syslog.status`. Threads: its owner's alone.
class SyslogIndexer {
 public:
  explicit SyslogIndexer(SyslogDialect dialect);

  // Before the lines of a read. `origin` must live until the next call.
  void start_read(const SyslogOrigin& origin, std::int64_t now_ms);
  // The builder was handed on: what it stored is not to be used again.
  void start_batch();

  // `line` lies in memory that the builder keeps.
  void add(EventBatch::Builder& builder, const FramedLine& line) {
    if (shares_head(line)) {
      builder.add(line.text.substr(shared_skip_), stored(builder, whole_));
    } else {
      add_other(builder, line);
    }
  }

  // Counts since the last call.
  struct Counts {
    std::size_t invalid = 0;
    std::size_t incomplete = 0;
  };
  Counts take_counts() { return std::exchange(counts_, {}); }

 private:
  // A header block and what it belongs to.
  struct Shared {
    std::string key;
    std::string block;
    std::string_view stored{};  // In the current batch; empty until it is used there.
  };
  enum class Status { kGood, kInvalid, kIncomplete };

  bool shares_head(const FramedLine& line) const {
    const std::string& head = whole_.key;
    return !head.empty() && !line.cut && line.text.size() > head.size() &&
           std::memcmp(line.text.data(), head.data(), head.size()) == 0 &&
           (line.text.back() != '\r' || dialect_.rules == SyslogDialect::Rules::kPosition);
  }
  static std::string_view stored(EventBatch::Builder& builder, Shared& shared) {
    if (shared.stored.empty()) {
      shared.stored = builder.store_header_block(shared.block);
    }
    return shared.stored;
  }
  void add_other(EventBatch::Builder& builder, const FramedLine& line);
  void add_whole(EventBatch::Builder& builder, const FramedLine& line,
                 const SyslogMessage& message);
  void add_priority(EventBatch::Builder& builder, const FramedLine& line,
                    const SyslogMessage& message);
  void add_invalid(EventBatch::Builder& builder, const FramedLine& line);
  void add_converted(EventBatch::Builder& builder, const FramedLine& line);
  SyslogMessage parse(std::string_view line);
  std::string_view body_of(EventBatch::Builder& builder, std::string_view line,
                           const SyslogMessage& message);
  void encode(const SyslogMessage& message, Status status, std::string& block) const;
  void forget();

  const SyslogDialect dialect_;
  SyslogTime time_;
  const SyslogOrigin* origin_ = nullptr;
  std::string origin_pairs_;  // Of the blocks that are remembered, as is the next.
  const TextConverter* origin_converter_ = nullptr;
  Shared whole_;  // The key is the head.
  std::size_t shared_skip_ = 0;
  bool whole_depends_on_now_ = false;
  Shared priority_;  // The key is the priority, and whether the line was cut.
  Shared invalid_;
  Counts counts_;
};

}  // namespace millrace
