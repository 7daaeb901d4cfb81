#include "io/time_zone_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace millrace {
namespace {

using Word = std::string_view;

// Those of java.time.ZoneId.SHORT_IDS that the time zone files do not have.
constexpr auto kShortNames = std::to_array<std::pair<Word, Word>>({
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
});

// "5", "05", "530", "0530", "5:30", "05:30" → minutes.
std::optional<int> minutes_of(Word text) {
  const std::size_t colon = text.find(':');
  std::string digits(text.substr(0, colon));
  if (colon != Word::npos) {
    if (digits.empty() || digits.size() > 2 || text.size() != colon + 3) {
      return std::nullopt;
    }
    digits += text.substr(colon + 1);
  } else if (digits.size() <= 2) {
    digits += "00";
  }
  const bool all_digits = std::all_of(digits.begin(), digits.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!all_digits || digits.size() < 3 || digits.size() > 4) {
    return std::nullopt;
  }
  const int number = std::stoi(digits);
  return number < 2400 && number % 100 < 60 ? std::optional(number / 100 * 60 + number % 100)
                                            : std::nullopt;
}

// "GMT+5:30" → "<GMT+0530>-05:30": a name there has no colon.
std::optional<std::string> rule_of_offset(Word id) {
  if (id.size() < 5 || !id.starts_with("GMT") || (id[3] != '+' && id[3] != '-')) {
    return std::nullopt;
  }
  const std::optional<int> minutes = minutes_of(id.substr(4));
  if (!minutes) {
    return std::nullopt;
  }
  const char east = id[3];
  return fmt::format("<GMT{}{:02}{:02}>{}{:02}:{:02}", east, *minutes / 60, *minutes % 60,
                     east == '+' ? '-' : '+', *minutes / 60, *minutes % 60);
}

// There is such a file, and it is one of a time zone.
bool is_region(FileSystem& files, const std::filesystem::path& folder, const std::string& id) {
  const bool stays_inside = !id.starts_with('/') && id.find("..") == std::string::npos;
  if (!stays_inside) {
    return false;
  }
  const auto file = files.open(folder / id, OpenMode::kRead);
  std::array<char, 4> magic{};
  return file.ok() && file.value()->read_at(magic, 0).ok() &&
         Word(magic.data(), magic.size()) == "TZif";
}

}  // namespace

Result<std::string> time_zone_rule(FileSystem& files, const std::filesystem::path& folder,
                                   const std::string& id) {
  if (std::optional<std::string> rule = rule_of_offset(id)) {
    return *std::move(rule);
  }
  const auto* const found = std::find_if(kShortNames.begin(), kShortNames.end(),
                                         [&](const auto& known) { return known.first == id; });
  const std::string region(found == kShortNames.end() ? id : found->second);
  if (is_region(files, folder, region)) {
    return region;
  }
  return bad_config(fmt::format("there is no time zone {} in {}{}", region, folder.string(),
                                files.exists(folder)
                                    ? "; names are as Europe/Berlin, UTC or GMT+01:00"
                                    : ", which is not there: install the package tzdata"));
}

std::filesystem::path time_zone_folder() {
  const char* const folder = std::getenv("TZDIR");
  return folder != nullptr ? folder : "/usr/share/zoneinfo";
}

}  // namespace millrace
