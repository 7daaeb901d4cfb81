// Figures as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

// "12,345,678".
std::string with_commas(std::uint64_t number);

// "10.0 MiB", in the largest unit that gives at least one.
std::string size_text(std::uint64_t bytes);

// "1 error", "12,345 errors".
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace millrace
