#include "sink/event_text.h"

#include <algorithm>
#include <cctype>

#include "io/local_host.h"
#include "sink/event_time.h"

namespace millrace {
namespace {

using Kind = EventText::Piece::Kind;

// Java's \w.
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_header_name(char c) {
  return is_word(c) || c == '.' || c == '-';
}

// What stands between brackets behind "%{" or "%["; empty when that is no such escape.
template <class Allowed>
std::string_view bracketed(std::string_view rest, char close, Allowed allowed) {
  const auto end = std::find_if_not(rest.begin() + 2, rest.end(), allowed);
  return end != rest.end() && *end == close
             ? rest.substr(2, static_cast<std::size_t>(end - rest.begin()) - 2)
             : std::string_view();
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

HostWords host_words_of_machine() {
  HostWords words{host_name(), host_address(), canonical_host_name()};
  words.ip = words.ip.empty() ? "127.0.0.1" : words.ip;
  words.fqdn = words.fqdn.empty() ? words.localhost : words.fqdn;
  return words;
}

// One pass: what comes out is not looked at again.
Result<EventText> EventText::parse(std::string_view text, const HostWords& host) {
  EventText made;
  while (!text.empty()) {
    const std::size_t percent = std::min(text.find('%'), text.size());
    made.add_literal(text.substr(0, percent));
    text.remove_prefix(percent);
    if (!text.empty() && !TRY(made.take_word(text, host)) && !made.take_escape(text)) {
      made.add_literal("%");
      text.remove_prefix(1);
    }
  }
  return made;
}

Result<bool> EventText::take_word(std::string_view& rest, const HostWords& host) {
  if (!rest.starts_with("%[")) {
    return false;
  }
  const std::string_view found = bracketed(rest, ']', is_word);
  if (found.empty()) {
    return false;
  }
  const std::string word = lower(found);
  if (word != "localhost" && word != "ip" && word != "fqdn") {
    return bad_config("%[" + std::string(found) + "] is none of %[localhost], %[IP], %[FQDN]");
  }
  add_literal(word == "localhost" ? host.localhost : word == "ip" ? host.ip : host.fqdn);
  rest.remove_prefix(found.size() + 3);
  return true;
}

bool EventText::take_escape(std::string_view& rest) {
  if (rest.starts_with("%{")) {
    const std::string_view name = bracketed(rest, '}', is_header_name);
    if (name.empty()) {
      return false;
    }
    pieces_.push_back({Kind::kHeader, std::string(name), 0});
    rest.remove_prefix(name.size() + 3);
    return true;
  }
  if (rest.size() < 2 || !(is_word(rest[1]) || rest[1] == '%')) {
    return false;
  }
  const char letter = rest[1];
  rest.remove_prefix(2);
  if (letter == '%') {
    add_literal("%");
  } else if (letter == 't') {
    pieces_.push_back({Kind::kRawTime, {}, letter});
  } else if (is_time_letter(letter)) {
    pieces_.push_back({Kind::kTime, {}, letter});
  }  // Any other letter stands for nothing.
  return true;
}

void EventText::add_literal(std::string_view text) {
  if (text.empty()) {
    return;
  }
  if (pieces_.empty() || pieces_.back().kind != Kind::kLiteral) {
    pieces_.push_back({});
  }
  pieces_.back().text += text;
}

bool EventText::needs_time() const {
  return std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
    return piece.kind == Kind::kTime || piece.kind == Kind::kRawTime;
  });
}

std::string_view EventText::fixed_beginning() const {
  return pieces_.empty() || pieces_.front().kind != Kind::kLiteral
             ? std::string_view()
             : std::string_view(pieces_.front().text);
}

}  // namespace millrace
