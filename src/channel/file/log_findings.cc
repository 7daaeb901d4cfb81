#include "channel/file/log_findings.h"

#include <algorithm>

#include "base/checksum.h"

namespace millrace::file_channel {
std::string_view to_string(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kNoRecord:
      return "no record";
    case Finding::Kind::kEvents:
      return "damaged events";
    case Finding::Kind::kIndex:
      return "damaged index";
    case Finding::Kind::kAcknowledgement:
      return "damaged acknowledgement";
    case Finding::Kind::kMissing:
      return "records are missing";
    case Finding::Kind::kCutOff:
      return "cut off, and never acknowledged";
    case Finding::Kind::kBeingWritten:
      return "being written";
  }
  return "";
}

CheckedPut check_put(const RecordHeader& header, std::string_view bytes) {
  CheckedPut put{header, {}};
  PutReader reader(bytes, header);
  const std::uint32_t there = reader.entries_there();
  put.events.reserve(there);
  for (std::uint32_t i = 0; i < there; ++i) {
    put.events.push_back(reader.event(i));
  }
  return put;
}

bool index_is_whole(const RecordHeader& header, std::string_view bytes) {
  const std::uint64_t size = std::uint64_t{header.entries} * sizeof(IndexEntry);
  return bytes.size() >= sizeof header + size &&
         crc32c(bytes.substr(sizeof header, size)) == header.index_crc;
}

PutNumbers numbers_of(const CheckedPut& put) {
  PutNumbers numbers;
  const EventNumber first = put.header.first;
  for (std::size_t i = 0; i < put.events.size();) {
    const std::size_t from = i;
    const bool is_whole = put.events[from].has_value();
    while (i < put.events.size() && put.events[i].has_value() == is_whole) {
      ++i;
    }
    (is_whole ? numbers.whole : numbers.damaged).add({first + from, first + i});
  }
  if (put.events.size() < put.header.entries) {
    numbers.damaged.add({first + put.events.size(), first + put.header.entries});
  }
  return numbers;
}

void LogTally::add(const LogTally& other) {
  segments += other.segments;
  gone += other.gone;
  bytes += other.bytes;
  puts += other.puts;
  acknowledgements += other.acknowledgements;
  whole.add(other.whole);
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

}  // namespace millrace::file_channel
