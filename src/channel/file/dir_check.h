// Goes through all records of a data dir and checks every checksum, for the tools.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "channel/file/channel_view.h"
#include "channel/file/log_findings.h"
#include "channel/file/segment_reader.h"
#include "io/file_system.h"

namespace millrace::file_channel {

using SegmentChoice = std::function<bool(const SegmentContents&)>;

// One data dir, record by record. Of a channel in use what looks damaged is looked at again: a
// segment that was written over meanwhile is gone, and what is being written is no damage. What is
// damaged in segments that may be written over costs nothing, and is no finding.
// Threads: one. View and file system outlive it.
class DirCheck {
 public:
  // Reads the segments that are `wanted`.
  DirCheck(FileSystem& files, const ChannelView& view, std::size_t dir,
           const SegmentChoice& wanted);
  ~DirCheck();

  // The next put; nothing behind the last. What it gives is valid until the next call. kTransient
  // when the disk fails.
  Result<std::optional<CheckedPut>> next();
  const LogTally& tally() const { return tally_; }
  std::uint64_t planned_bytes() const;  // That tally().bytes comes to, about.

 private:
  struct Open;  // The segment that is being read.

  Result<bool> open_next();
  Result<std::optional<CheckedPut>> next_in_segment();
  Result<std::optional<CheckedPut>> take_put(const SegmentScanner::Record& record);
  Result<> take_acknowledgement(const SegmentScanner::Record& record);
  bool gap_is_settled();
  bool is_settled(ByteRange bytes);
  void note(Finding::Kind kind, ByteRange bytes, EventRanges events = {});
  void begin_group();
  void settle_last_group();
  void end_segment();
  bool is_newest(const SegmentContents& segment) const { return &segment == &dir_.segments.back(); }
  std::uint64_t limit_of(const SegmentContents& segment) const;

  FileSystem& files_;
  const ChannelView& view_;
  const DirContents& dir_;
  std::vector<const SegmentContents*> segments_;
  std::size_t next_segment_ = 0;
  std::unique_ptr<Open> open_;  // Null between two.
  LogTally tally_;
};

}  // namespace millrace::file_channel
