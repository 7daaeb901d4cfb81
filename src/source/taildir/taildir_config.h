// The keys of the source `TAILDIR`.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "config/fields.h"
#include "core/claim.h"

namespace millrace {

struct TaildirConfig {
  std::vector<std::string> groups;
  std::map<std::string, std::string> paths;
  std::filesystem::path position_file = "~/.flume/taildir_position.json";
  std::map<std::string, std::string> headers;
  bool byte_offset_header = false;
  bool skip_to_end = false;
  std::chrono::milliseconds idle_timeout{120'000};
  std::chrono::milliseconds write_interval{3000};
  std::int32_t batch_size = 100;
  std::int64_t max_batch_count = INT64_MAX;
  bool cache_names = true;
  bool file_header = false;
  std::string file_header_key = "file";
  std::chrono::milliseconds backoff_sleep_increment{1000};
  std::chrono::milliseconds max_backoff_sleep{5000};

  static constexpr auto fields() {
    using C = TaildirConfig;
    return std::tuple{
        field("filegroups", &C::groups, "Names of the groups of files.").required().example("f1"),
        field("filegroups.", &C::paths,
              "filegroups.NAME = the files of a group: a folder, and behind its last slash a "
              "regular expression that the whole name of a file has to match.")
            .example("/var/log/app/.*\\.log"),
        field("positionFile", &C::position_file,
              "Where it is kept how far each file has been read; ~/ is the user's home."),
        field("headers.", &C::headers,
              "headers.NAME.KEY = a header for every event of that group."),
        field("byteOffsetHeader", &C::byte_offset_header,
              "Events get the header byteoffset: where their line begins in its file."),
        field("skipToEnd", &C::skip_to_end,
              "Files that are there at the start and not in the position file are read from their "
              "end on."),
        field("idleTimeout", &C::idle_timeout,
              "A file that nothing was written to for so many milliseconds is closed, and what "
              "stands behind its last line end becomes an event.")
            .range(0, INT64_C(31'536'000'000)),
        field("writePosInterval", &C::write_interval,
              "Milliseconds between two writes of the position file.")
            .range(1, 86'400'000),
        field("batchSize", &C::batch_size, "Most events of one put; below 1: 100."),
        field("maxBatchCount", &C::max_batch_count,
              "Most puts from one file before the next file has its turn; below 1: no limit."),
        field("cachePatternMatching", &C::cache_names,
              "A folder is listed again only when the time of its last change is another."),
        field("fileHeader", &C::file_header, "Events get a header with the path of their file."),
        field("fileHeaderKey", &C::file_header_key, "Its name."),
        field("backoffSleepIncrement", &C::backoff_sleep_increment,
              "How much longer to wait each time that a put has failed.")
            .range(1, 86'400'000),
        field("maxBackoffSleep", &C::max_backoff_sleep,
              "Longest such wait; also how often files are looked at whose changes the kernel does "
              "not tell, as on NFS.")
            .range(1, 86'400'000),
    };
  }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return events_per_put(); }
  std::size_t events_per_put() const {
    return batch_size < 1 ? 100 : static_cast<std::size_t>(batch_size);
  }
  // Of one file before the next has its turn.
  std::uint64_t events_per_visit() const;
  // With the home folder put in.
  std::filesystem::path position_path() const;
  std::vector<Claim> claims() const {
    return {claim_path("positionFile", "the position file ", position_path())};
  }
};

}  // namespace millrace
