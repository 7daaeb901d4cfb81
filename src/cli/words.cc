#include "cli/words.h"

#include <fmt/core.h>

namespace millrace {

std::string with_commas(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      text.push_back(',');
    }
    text.push_back(digits[i]);
  }
  return text;
}

std::string size_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit < 4; ++unit) {
    size /= 1024;
  }
  const bool is_even = size == static_cast<double>(static_cast<std::uint64_t>(size));
  return fmt::format("{:.{}f} {}", size, unit == 0 || is_even ? 0 : 1, kUnits[unit]);
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(count), what, count == 1 ? "" : "s");
}

}  // namespace millrace
