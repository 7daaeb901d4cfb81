#include "config/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "config/property_section.h"

namespace millrace {

namespace {

constexpr std::size_t kShownBytes = 200;
constexpr std::size_t kLeastHidden = 4;  // Bytes.
constexpr std::size_t kLeastQuoted = 3;

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

void replace_all(std::string& text, const std::string& piece, const std::string& by) {
  if (piece.size() < kLeastHidden) {
    return;
  }
  for (std::size_t at = text.find(piece); at != std::string::npos;
       at = text.find(piece, at + by.size())) {
    text.replace(at, piece.size(), by);
  }
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

void Diagnostics::hide(std::string secret, std::string use) {
  if (use.find(secret) == std::string::npos) {  // Else all can see it.
    hidden_.push_back({std::move(secret), std::move(use)});
  }
}

std::string Diagnostics::masked(std::string text) const {
  if (hidden_.empty()) {
    return text;
  }
  text = without_quoted(text);
  for (const Hidden& hidden : hidden_) {
    replace_all(text, hidden.secret, hidden.use);
    // A list of names is told name by name.
    for (const std::string& word : split_words(hidden.secret)) {
      replace_all(text, word, hidden.use);
    }
  }
  return text;
}

// Messages quote what of a value is wrong.
std::string Diagnostics::without_quoted(std::string_view text) const {
  std::string out;
  for (;;) {
    const std::size_t open = text.find('"');
    const std::size_t close =
        open == std::string_view::npos ? std::string_view::npos : text.find('"', open + 1);
    if (close == std::string_view::npos) {
      return out.append(text);
    }
    const std::string_view piece = text.substr(open + 1, close - open - 1);
    const auto source = std::find_if(hidden_.begin(), hidden_.end(), [&](const Hidden& hidden) {
      return piece.size() >= kLeastQuoted && hidden.secret.find(piece) != std::string::npos;
    });
    out.append(text.substr(0, open + 1));
    out.append(source == hidden_.end() ? piece : std::string_view(source->use));
    text.remove_prefix(close);
    out += text.front();
    text.remove_prefix(1);
  }
}

void Diagnostics::add(Diagnostic diagnostic) {
  diagnostic.message = masked(std::move(diagnostic.message));
  diagnostic.hint = masked(std::move(diagnostic.hint));
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
