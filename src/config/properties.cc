#include "config/properties.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "config/logical_lines.h"
#include "config/utf8.h"

namespace millrace {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f';
}

struct RawEntry {
  std::string_view key;
  std::string_view value;
};

// Cuts a logical line at its separator: the first '=', ':' or blank that no backslash protects.
RawEntry split(std::string_view line) {
  std::size_t end = 0;
  bool escaped = false;
  while (end < line.size()) {
    const char c = line[end];
    if (!escaped && (c == '=' || c == ':' || is_blank(c))) {
      break;
    }
    escaped = c == '\\' && !escaped;
    ++end;
  }
  std::size_t begin = end;
  bool has_sign = false;
  for (; begin < line.size(); ++begin) {
    const bool is_sign = line[begin] == '=' || line[begin] == ':';
    if (!is_blank(line[begin]) && (has_sign || !is_sign)) {
      break;
    }
    has_sign = has_sign || is_sign;
  }
  return {line.substr(0, end), line.substr(begin)};
}

std::optional<std::uint32_t> hex_unit(std::string_view digits) {
  std::uint32_t unit = 0;
  if (digits.size() != 4) {
    return std::nullopt;
  }
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      unit = unit << 4 | static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return unit;
}

char unescaped(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

// Resolves escapes; nullopt when a \u is not followed by four hexadecimal digits. `is_utf8`: bytes
// beyond ASCII are kept, else each is a Latin-1 character.
std::optional<std::string> unescape(std::string_view raw, bool is_utf8) {
  std::string out;
  Utf16Appender units(out);
  for (std::size_t at = 0; at < raw.size(); ++at) {
    char c = raw[at];
    if (c == '\\' && at + 1 < raw.size()) {
      c = unescaped(raw[++at]);
      if (c == 'u') {
        const std::optional<std::uint32_t> unit = hex_unit(raw.substr(at + 1, 4));
        if (!unit.has_value()) {
          return std::nullopt;
        }
        units.unit(*unit);
        at += 4;
        continue;
      }
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && is_utf8) {
      units.finish();
      out += c;
    } else {
      units.unit(byte);
    }
  }
  units.finish();
  return out;
}

// Holds the entries in the order of their last mention.
class EntryList {
 public:
  // Gives the entry that `property` replaces, if there was one.
  std::optional<Property> put(Property property) {
    const auto [place, is_new] = index_.try_emplace(property.full_key, entries_.size());
    std::optional<Property> replaced;
    if (!is_new) {
      replaced = std::move(entries_[place->second]);
      is_current_[place->second] = false;
      place->second = entries_.size();
    }
    entries_.push_back(std::move(property));
    is_current_.push_back(true);
    return replaced;
  }

  PropertySection take() && {
    std::vector<Property> current;
    current.reserve(index_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (is_current_[i]) {
        current.push_back(std::move(entries_[i]));
      }
    }
    return {"", std::move(current)};
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Property> entries_;
  std::vector<bool> is_current_;
};

void parse_entry(std::string_view text, std::string_view file, std::size_t line, EntryList& entries,
                 Diagnostics& diagnostics) {
  const RawEntry raw = split(text);
  const bool is_utf8 = is_valid_utf8(text);
  std::optional<std::string> key = unescape(raw.key, is_utf8);
  std::optional<std::string> value = unescape(raw.value, is_utf8);
  if (!key.has_value() || !value.has_value()) {
    diagnostics.add({Severity::kError, std::string(file), line, key.value_or(std::string(raw.key)),
                     "", "\\u needs four hexadecimal digits behind it: the entry is left out",
                     "write \\\\u for a backslash and a u"});
    return;
  }
  const std::optional<Property> replaced =
      entries.put({*key, *value, std::string(file), line, *key});
  if (replaced.has_value() && replaced->value != *value) {
    diagnostics.add(
        {Severity::kWarning, std::string(file), line, *key, "",
         "is given again: the value of line " + std::to_string(replaced->line) + " has no effect",
         ""});
  }
}

}  // namespace

PropertySection parse_properties(std::string_view bytes, std::string_view file,
                                 Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message) {
    diagnostics.add({Severity::kError, std::string(file), 0, "", "", std::move(message), ""});
    return PropertySection();
  };
  if (bytes.size() > kMostPropertiesBytes) {
    return refuse("is longer than 16 MiB, which no configuration is: it is not read");
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return refuse("is UTF-16 text: save it as UTF-8");
  }
  if (bytes.starts_with(kByteOrderMark)) {
    bytes.remove_prefix(kByteOrderMark.size());
  }
  LogicalLines lines(bytes);
  EntryList entries;
  std::string text;
  std::size_t line = 0;
  while (lines.next(text, line)) {
    parse_entry(text, file, line, entries, diagnostics);
  }
  return std::move(entries).take();
}

PropertySection merge_properties(const std::vector<PropertySection>& sets) {
  EntryList entries;
  for (const PropertySection& set : sets) {
    for (const Property& property : set.entries()) {
      entries.put(property);
    }
  }
  return std::move(entries).take();
}

}  // namespace millrace
