// The text of a value, read as each type that a described field may have, with Flume's rules.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/field.h"
#include "config/property_section.h"

namespace millrace {

// What is wrong with a value: "expected a whole number from 1 to 65535". Empty: nothing.
struct ValueFault {
  std::string expected;
  std::string hint;
  bool only_warn = false;  // The value was taken all the same.
  bool ok() const { return expected.empty(); }
};

// Each reads `text` into `out`, which keeps its value when the text is bad. Numbers are trimmed and
// must lie in the field's range; a boolean is `true` in any case, else false (a word that is
// neither is taken as false with a warning); texts are taken as they are.
ValueFault parse_value(std::string_view text, const FieldMarks& marks, bool& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::int32_t& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::int64_t& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint16_t& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint32_t& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint64_t& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, double& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, ByteCount& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::chrono::seconds& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks,
                       std::chrono::milliseconds& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::string& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::filesystem::path& out);
ValueFault parse_value(std::string_view text, const FieldMarks& marks,
                       std::vector<std::string>& out);
template <class T>
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::optional<T>& out) {
  T value{};
  ValueFault fault = parse_value(text, marks, value);
  if (fault.ok() || fault.only_warn) {
    out = std::move(value);
  }
  return fault;
}

// The name of a type on a reference page, unit included: "seconds".
std::string_view type_name(const bool&);
std::string_view type_name(const std::int32_t&);
std::string_view type_name(const std::int64_t&);
std::string_view type_name(const std::uint16_t&);
std::string_view type_name(const std::uint32_t&);
std::string_view type_name(const std::uint64_t&);
std::string_view type_name(const double&);
std::string_view type_name(const ByteCount&);
std::string_view type_name(const std::chrono::seconds&);
std::string_view type_name(const std::chrono::milliseconds&);
std::string_view type_name(const std::string&);
std::string_view type_name(const std::filesystem::path&);
std::string_view type_name(const std::vector<std::string>&);
std::string_view type_name(const std::map<std::string, std::string>&);
std::string_view type_name(const PropertySection&);
template <class T>
std::string_view type_name(const std::optional<T>&) {
  return type_name(T{});
}

// A value as a file would give it.
std::string value_text(bool value);
std::string value_text(std::int32_t value);
std::string value_text(std::int64_t value);
std::string value_text(std::uint16_t value);
std::string value_text(std::uint32_t value);
std::string value_text(std::uint64_t value);
std::string value_text(double value);
std::string value_text(ByteCount value);
std::string value_text(std::chrono::seconds value);
std::string value_text(std::chrono::milliseconds value);
std::string value_text(const std::string& value);
std::string value_text(const std::filesystem::path& value);
std::string value_text(const std::vector<std::string>& value);
std::string value_text(const std::map<std::string, std::string>& value);
std::string value_text(const PropertySection& value);
template <class T>
std::string value_text(const std::optional<T>& value) {
  return value.has_value() ? value_text(*value) : std::string();
}

// "1 to 65535", or empty when the field has no range.
std::string range_text(const FieldMarks& marks, bool is_real);

}  // namespace millrace
