// format_java_date() of lookups.h.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "config/lookups.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::size_t kMostDigits = 32;

// The parts of one moment in local time.
struct Moment {
  std::tm parts{};
  int milliseconds = 0;
};

std::string number(int value, std::size_t digits) {
  return fmt::format("{:0{}}", value, std::min(digits, kMostDigits));
}

std::string name(std::string_view text, std::size_t letters) {
  return std::string(letters >= 4 ? text : text.substr(0, 3));
}

// "+0200", with a colon "+02:00".
std::string offset(const std::tm& parts, bool colon) {
  const long minutes = parts.tm_gmtoff / 60;
  const long size = minutes < 0 ? -minutes : minutes;
  return fmt::format("{}{:02}{}{:02}", minutes < 0 ? '-' : '+', size / 60, colon ? ":" : "",
                     size % 60);
}

std::string iso_offset(const std::tm& parts, std::size_t letters) {
  if (parts.tm_gmtoff == 0) {
    return "Z";
  }
  const std::string whole = offset(parts, letters >= 3);
  return letters == 1 ? whole.substr(0, 3) : whole;
}

std::optional<std::string> date_part(char letter, std::size_t letters, const Moment& moment) {
  const std::tm& t = moment.parts;
  switch (letter) {
    case 'y':
      return letters == 2 ? number(t.tm_year % 100, 2) : number(t.tm_year + 1900, letters);
    case 'M':
    case 'L':
      return letters >= 3 ? name(kMonths.at(static_cast<std::size_t>(t.tm_mon)), letters)
                          : number(t.tm_mon + 1, letters);
    case 'd':
      return number(t.tm_mday, letters);
    case 'D':
      return number(t.tm_yday + 1, letters);
    case 'E':
      return name(kDays.at(static_cast<std::size_t>(t.tm_wday)), letters);
    case 'u':
      return number(t.tm_wday == 0 ? 7 : t.tm_wday, letters);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> time_part(char letter, std::size_t letters, const Moment& moment) {
  const std::tm& t = moment.parts;
  switch (letter) {
    case 'H':
      return number(t.tm_hour, letters);
    case 'k':
      return number(t.tm_hour == 0 ? 24 : t.tm_hour, letters);
    case 'K':
      return number(t.tm_hour % 12, letters);
    case 'h':
      return number(t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12, letters);
    case 'm':
      return number(t.tm_min, letters);
    case 's':
      return number(t.tm_sec, letters);
    case 'S':
      return number(moment.milliseconds, letters);
    case 'a':
      return t.tm_hour < 12 ? "AM" : "PM";
    case 'z':
      return std::string(t.tm_zone != nullptr ? t.tm_zone : "UTC");
    case 'Z':
      return offset(t, false);
    case 'X':
      return letters <= 3 ? std::optional(iso_offset(t, letters)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Appends the quoted text that begins at `at`, two quotes being one; gives where it ends, or npos.
std::size_t append_quoted(std::string_view pattern, std::size_t at, std::string& out) {
  if (pattern.substr(at).starts_with("''")) {
    out += '\'';
    return at + 2;
  }
  for (++at; at < pattern.size(); ++at) {
    if (pattern[at] != '\'') {
      out += pattern[at];
    } else if (pattern.substr(at).starts_with("''")) {
      out += pattern[at++];
    } else {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Moment moment_of(WallTime time) {
  Moment moment;
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(ms);
  const auto count = static_cast<std::time_t>(seconds.count());
  localtime_r(&count, &moment.parts);
  moment.milliseconds = static_cast<int>((ms - seconds).count());
  return moment;
}

}  // namespace

std::optional<std::string> format_java_date(std::string_view pattern, WallTime time) {
  const Moment moment = moment_of(time);
  std::string out;
  std::size_t at = 0;
  while (at < pattern.size()) {
    const char c = pattern[at];
    if (c == '\'') {
      at = append_quoted(pattern, at, out);
      if (at == std::string_view::npos) {
        return std::nullopt;
      }
      continue;
    }
    if (!is_letter(c)) {
      out += c;
      ++at;
      continue;
    }
    const std::size_t end = std::min(pattern.find_first_not_of(c, at), pattern.size());
    std::optional<std::string> part = date_part(c, end - at, moment);
    if (!part.has_value()) {
      part = time_part(c, end - at, moment);
    }
    if (!part.has_value()) {
      return std::nullopt;
    }
    out += *part;
    at = end;
  }
  return out;
}

}  // namespace millrace
