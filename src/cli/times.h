// Times as people write and read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace {

// "2026-11-30T18:01:02.123Z" of milliseconds since 1970 UTC.
std::string time_text(std::int64_t epoch_ms);

// Milliseconds since 1970 UTC of a time of RFC 3339, as time_text() gives it or with another zone;
// what is finer than a millisecond is cut off. Nothing for anything else.
std::optional<std::int64_t> parse_time(std::string_view text);

}  // namespace millrace
