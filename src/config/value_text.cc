// What value_types.h says of values on a page: names of types, defaults, ranges.
#include <fmt/core.h>

#include "config/value_types.h"

namespace millrace {

std::string_view type_name(const bool&) {
  return "true or false";
}
std::string_view type_name(const std::int32_t&) {
  return "whole number";
}
std::string_view type_name(const std::int64_t&) {
  return "whole number";
}
std::string_view type_name(const std::uint16_t&) {
  return "whole number";
}
std::string_view type_name(const std::uint32_t&) {
  return "whole number";
}
std::string_view type_name(const std::uint64_t&) {
  return "whole number";
}
std::string_view type_name(const double&) {
  return "number";
}
std::string_view type_name(const ByteCount&) {
  return "bytes";
}
std::string_view type_name(const std::chrono::seconds&) {
  return "seconds";
}
std::string_view type_name(const std::chrono::milliseconds&) {
  return "milliseconds";
}
std::string_view type_name(const std::string&) {
  return "text";
}
std::string_view type_name(const std::filesystem::path&) {
  return "path";
}
std::string_view type_name(const std::vector<std::string>&) {
  return "list, separated by blanks";
}
std::string_view type_name(const std::map<std::string, std::string>&) {
  return "texts by name";
}
std::string_view type_name(const PropertySection&) {
  return "keys of the part";
}

std::string value_text(bool value) {
  return value ? "true" : "false";
}
std::string value_text(std::int32_t value) {
  return fmt::format("{}", value);
}
std::string value_text(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string value_text(std::uint16_t value) {
  return fmt::format("{}", value);
}
std::string value_text(std::uint32_t value) {
  return fmt::format("{}", value);
}
std::string value_text(std::uint64_t value) {
  return fmt::format("{}", value);
}
std::string value_text(double value) {
  return fmt::format("{}", value);
}
std::string value_text(ByteCount value) {
  return fmt::format("{}", value.value);
}
std::string value_text(std::chrono::seconds value) {
  return fmt::format("{}", value.count());
}
std::string value_text(std::chrono::milliseconds value) {
  return fmt::format("{}", value.count());
}
std::string value_text(const std::string& value) {
  return value;
}
std::string value_text(const std::filesystem::path& value) {
  return value.string();
}
std::string value_text(const std::vector<std::string>& value) {
  std::string text;
  for (const std::string& word : value) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}
std::string value_text(const std::map<std::string, std::string>&) {
  return "";
}
std::string value_text(const PropertySection&) {
  return "";
}

std::string range_text(const FieldMarks& marks, bool is_real) {
  if (!marks.range.is_set) {
    return "";
  }
  return is_real ? fmt::format("{} to {}", marks.range.low_real, marks.range.high_real)
                 : fmt::format("{} to {}", marks.range.low, marks.range.high);
}

}  // namespace millrace
