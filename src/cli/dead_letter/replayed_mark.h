// Which letters of a file were replayed: kept beside it, in NAME.replayed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "channel/file/event_ranges.h"
#include "io/file_system.h"

namespace millrace {

// Numbers of letters, as Letter has them. The file is text: a line that names the format, then a
// line "FIRST-LAST" for each run of numbers. Removing it makes all letters new again.
using LetterNumbers = file_channel::EventRanges;

std::filesystem::path mark_of(const std::filesystem::path& letters);

// Of the text of a mark; kCorrupt when it cannot be understood.
Result<LetterNumbers> parse_mark(std::string_view text);
// Nothing replayed where there is no mark.
Result<LetterNumbers> read_mark(FileSystem& files, const std::filesystem::path& letters);

// Durable, and never half written, when it returns.
Result<> write_mark(FileSystem& files, const std::filesystem::path& letters,
                    const LetterNumbers& replayed);

}  // namespace millrace
