// The keys of the source `spooldir`.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "config/fields.h"
#include "core/claim.h"
#include "core/deserializer.h"

namespace millrace {

struct SpooldirConfig {
  std::filesystem::path folder;
  std::string suffix = ".COMPLETED";
  std::string delete_policy = "never";
  std::string tracking_policy = "rename";
  std::filesystem::path tracker_dir = ".flumespool";
  bool file_header = false;
  std::string file_header_key = "file";
  bool basename_header = false;
  std::string basename_header_key = "basename";
  std::string include = "^.*$";
  std::string ignore = "^$";
  bool recursive = false;
  std::string order = "oldest";
  std::uint32_t batch_size = 100;
  std::chrono::milliseconds poll_delay{500};
  std::chrono::milliseconds max_backoff{4000};
  std::string input_charset = "UTF-8";
  std::string decode_errors = "FAIL";
  std::string deserializer = "LINE";
  PropertySection deserializer_keys;
  std::uint32_t old_longest_line = 0;
  std::uint32_t old_buffer_lines = 0;

  static constexpr auto fields() {
    using C = SpooldirConfig;
    return std::tuple{
        field("spoolDir", &C::folder, "Folder that files are moved into.")
            .required()
            .example("/var/spool/app"),
        field("fileSuffix", &C::suffix,
              "What the name of a file gets that is done; names that end so are passed over."),
        field("deletePolicy", &C::delete_policy, "What becomes of a file that is done.")
            .choices({"never", "immediate"}),
        field("trackingPolicy", &C::tracking_policy,
              "How a file is marked that is done and stays: by its name, or by an empty file in "
              "trackerDir, for a folder that may not be written to.")
            .choices({"rename", "tracker_dir"}),
        field("trackerDir", &C::tracker_dir,
              "Where it is kept how far the file at hand was read; relative: inside spoolDir."),
        field("fileHeader", &C::file_header, "Events get a header with the path of their file."),
        field("fileHeaderKey", &C::file_header_key, "Its name."),
        field("basenameHeader", &C::basename_header,
              "Events get a header with the name of their file."),
        field("basenameHeaderKey", &C::basename_header_key, "Its name."),
        field("includePattern", &C::include,
              "Regular expression that the whole name of a file has to match."),
        field("ignorePattern", &C::ignore,
              "Files and folders whose whole name matches are passed over, included or not."),
        field("recursiveDirectorySearch", &C::recursive, "Files in folders below count too."),
        field("consumeOrder", &C::order,
              "Which file is next, by the time of its last change; of several, the one whose name "
              "is smallest.")
            .choices({"oldest", "youngest", "random"}),
        field("batchSize", &C::batch_size, "Most events of one put.").range(1, 1'000'000),
        field("pollDelay", &C::poll_delay,
              "Milliseconds between two looks into the folder when no file is there.")
            .range(1, 86'400'000),
        field("maxBackoff", &C::max_backoff, "Longest wait for a full channel.")
            .ignored("the source goes on as soon as the channel has room"),
        field("inputCharset", &C::input_charset,
              "Encoding of text: any that iconv of the C library knows and that has no states.")
            .example("windows-1252"),
        field("decodeErrorPolicy", &C::decode_errors,
              "Bytes that are no text: FAIL sets the file aside there, REPLACE puts U+FFFD in "
              "their place, IGNORE leaves them out.")
            .choices({"FAIL", "REPLACE", "IGNORE"}),
        field("deserializer", &C::deserializer,
              "How a file is taken apart: LINE, AVRO, or Flume's class of the blob deserializer.")
            .example("AVRO"),
        field("deserializer.", &C::deserializer_keys, "Keys of the deserializer."),
        field("bufferMaxLineLength", &C::old_longest_line, "Longest line.")
            .range(0, 100'000'000)
            .deprecated("use \"deserializer.maxLineLength\""),
        field("bufferMaxLines", &C::old_buffer_lines, "Lines in memory.")
            .ignored("no lines are buffered"),
    };
  }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return batch_size; }
  // With what the old key bufferMaxLineLength stands for.
  PropertySection keys_of_deserializer() const;
  DecodeErrors decode_error_policy() const;
  // trackerDir, inside of the folder unless it is absolute.
  std::filesystem::path tracker_folder() const { return folder / tracker_dir; }
  std::vector<Claim> claims() const {
    Claim tracker = claim_path("trackerDir", "the folder ", tracker_folder());
    tracker.severity = Severity::kWarning;  // Flume runs both, and so do we.
    return {tracker};
  }
};

}  // namespace millrace
