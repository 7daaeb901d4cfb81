// Reads dead letters back: the files of a folder, one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// An event of a file of letters. Borrows. What a header does not say is empty.
struct Letter {
  std::uint64_t number = 0;  // In its file, from 1.
  std::string_view headers;  // All of them, a header block.
  std::string_view body;
  std::string_view reason;
  std::string_view component;
  std::string_view taken_from;
  std::optional<std::int64_t> time_ms;  // Since 1970 UTC.

  // The headers that the event had before it became a letter, a header block.
  std::string event_headers() const;
};

// The files of letters at `path`, a folder or one of them, in the order in which they were begun:
// numbers in names count as numbers.
Result<std::vector<std::filesystem::path>> letter_files_at(FileSystem& files,
                                                           const std::filesystem::path& path);

// Calls `visit` for each letter of the file until it says false or fails. What is torn or damaged
// becomes a note, and what is whole behind it is read; the numbers count what can be read. Streams.
using VisitLetter = std::function<Result<bool>(const Letter&)>;
Result<> read_letters(FileSystem& files, const std::filesystem::path& path,
                      const VisitLetter& visit, std::vector<std::string>& notes);

}  // namespace millrace
