#include "cli/channel/import_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/bytes.h"
#include "base/checksum.h"
#include "io/atomic_file.h"

namespace millrace {
namespace {

constexpr std::string_view kTitle = "millrace-flume-import 1";
constexpr std::string_view kFilePrefix = "flume-import-";
constexpr std::string_view kChecksum = "crc32c ";

template <class Number>
bool read_number(std::string_view text, Number& to, int base = 10) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), to, base);
  return error == std::errc{} && stop == text.data() + text.size();
}

// The next line, which is taken off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool read_log(std::string_view value, std::vector<LogName>& logs) {
  const std::size_t blank = value.find(' ');
  LogName& log = logs.emplace_back();
  return blank != std::string_view::npos && read_number(value.substr(0, blank), log.first) &&
         read_number(value.substr(blank + 1), log.second);
}

// Takes over what "KEY VALUE" says; false for a line that no record has.
bool read_line(std::string_view line, ImportRecord& record) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) {
    return false;
  }
  const std::string_view key = line.substr(0, blank);
  const std::string_view value = line.substr(blank + 1);
  if (key == "state") {
    record.is_complete = value == "complete";
    return record.is_complete || value == "begun";
  }
  if (key == "checkpoint") {
    record.checkpoint_dir = std::string(value);
    return true;
  }
  if (key == "log") {
    return read_log(value, record.logs);
  }
  if (key == "events-crc") {
    return read_number(value, record.events_crc, 16);
  }
  const std::pair<std::string_view, std::uint64_t*> numbers[] = {
      {"events", &record.events},
      {"put-before", &record.put_before},
      {"gone-before", &record.gone_before},
      {"batch-events", &record.batch_events}};
  for (const auto& [name, to] : numbers) {
    if (key == name) {
      return read_number(value, *to);
    }
  }
  return false;
}

std::filesystem::path path_of(const std::filesystem::path& dir, std::uint64_t number) {
  return dir / fmt::format("{}{}", kFilePrefix, number);
}

}  // namespace

bool ImportRecord::shares_log_with(const ImportRecord& other) const {
  return std::find_first_of(logs.begin(), logs.end(), other.logs.begin(), other.logs.end()) !=
         logs.end();
}

ImportRecord record_of(const flume_log::Folders& folders,
                       const std::vector<flume_log::Pointer>& events) {
  ImportRecord record;
  record.checkpoint_dir = folders.checkpoint_dir.string();
  for (const flume_log::LogFile& log : folders.logs) {
    if (log.first_order) {
      record.logs.emplace_back(log.meta.log, *log.first_order);
    }
  }
  record.events = events.size();
  for (const flume_log::Pointer& event : events) {
    std::string bytes;
    append_little(bytes, event.file);
    append_little(bytes, event.offset);
    record.events_crc = crc32c(bytes, record.events_crc);
  }
  return record;
}

std::string encode_import_record(const ImportRecord& record) {
  std::string text = fmt::format(
      "{}\nstate {}\ncheckpoint {}\nevents {}\nevents-crc {:08x}\nput-before {}\ngone-before {}\n"
      "batch-events {}\n",
      kTitle, record.is_complete ? "complete" : "begun", record.checkpoint_dir, record.events,
      record.events_crc, record.put_before, record.gone_before, record.batch_events);
  for (const auto& [log, order] : record.logs) {
    text += fmt::format("log {} {}\n", log, order);
  }
  return text + fmt::format("{}{:08x}\n", kChecksum, crc32c(text));
}

Result<ImportRecord> decode_import_record(std::string_view text) {
  const std::size_t crc_at = text.rfind(kChecksum);
  if (crc_at == std::string_view::npos) {
    return corrupt("the file is damaged");
  }
  std::string_view covered = text.substr(0, crc_at);
  if (text.substr(crc_at) != fmt::format("{}{:08x}\n", kChecksum, crc32c(covered))) {
    return corrupt("the file is damaged");
  }
  if (take_line(covered) != kTitle) {
    return rejected("written by a later version");
  }
  ImportRecord record;
  while (!covered.empty()) {
    if (!read_line(take_line(covered), record)) {
      return corrupt("the file is damaged");
    }
  }
  return record;
}

Result<std::vector<ImportRecord>> read_import_records(FileSystem& files,
                                                      const std::filesystem::path& dir) {
  std::vector<ImportRecord> records;
  for (const std::string& name : TRY(files.list(dir))) {
    std::uint64_t number = 0;
    if (!name.starts_with(kFilePrefix) ||
        !read_number(std::string_view(name).substr(kFilePrefix.size()), number)) {
      continue;
    }
    const std::string text = TRY(read_file(files, dir / name));
    ImportRecord record = TRY(decode_import_record(text).with((dir / name).string()));
    record.number = number;
    records.push_back(std::move(record));
  }
  std::sort(records.begin(), records.end(),
            [](const ImportRecord& a, const ImportRecord& b) { return a.number < b.number; });
  return records;
}

Result<> write_import_record(FileSystem& files, const std::filesystem::path& dir,
                             const ImportRecord& record) {
  return replace_file(files, path_of(dir, record.number), encode_import_record(record));
}

}  // namespace millrace
