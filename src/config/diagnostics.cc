#include "config/diagnostics.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace millrace {

namespace {

constexpr std::size_t kShownBytes = 200;

// At most `limit` bytes that end between two UTF-8 characters.
std::string_view cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return text;
  }
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) {
    --limit;
  }
  return text.substr(0, limit);
}

// Its beginning, when it is long.
std::string shown(std::string_view value) {
  std::string text(cut(value, kShownBytes));
  return text.size() < value.size() ? text + "..." : text;
}

// One line, whatever the names and values in it hold.
std::string escape_controls(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string Diagnostic::to_string() const {
  std::string text;
  if (!file.empty()) {
    text += line != 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
  }
  text += severity == Severity::kError ? "error: " : "warning: ";
  if (!key.empty()) {
    text += shown(key);
    text += value.empty() ? ": " : fmt::format(" = \"{}\": ", shown(value));
  }
  text += message;
  if (!hint.empty()) {
    text += "; " + hint;
  }
  return escape_controls(text);
}

void Diagnostics::add(Diagnostic diagnostic) {
  errors_ += diagnostic.severity == Severity::kError ? 1 : 0;
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics& others) {
  for (const Diagnostic& diagnostic : others.items_) {
    add(diagnostic);
  }
}

std::string Diagnostics::to_string() const {
  std::string text;
  for (const Diagnostic& diagnostic : items_) {
    text += diagnostic.to_string();
    text += '\n';
  }
  return text;
}

}  // namespace millrace
