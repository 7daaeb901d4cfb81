#include "cli/hammer/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace millrace {
namespace {

constexpr std::string_view kBegin = "hammer-";

// Reads the parts one after the other; each says false when the text is not of the form.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  std::size_t remaining() const { return rest_.size(); }

  // A decimal number of at most `digits` digits, or of just so many.
  template <class T>
  bool number(T& value, std::size_t digits, bool exact) {
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (end == 0 || end > digits || (exact && end != digits)) {
      return false;
    }
    std::from_chars(rest_.data(), rest_.data() + end, value);  // Fits: T takes that many digits.
    rest_.remove_prefix(end);
    return true;
  }
  bool letter(char expected) {
    if (rest_.empty() || rest_.front() != expected) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view& value) {
    value = rest_.substr(0, rest_.substr(0, kMostRunLetters + 1).find(' '));
    rest_.remove_prefix(value.size());
    return is_run_id(value);
  }

 private:
  std::string_view rest_;
};

bool read_event(std::string_view text, HammerEvent& event) {
  Parts parts(text.substr(kBegin.size()));
  std::uint64_t bytes = 0;
  const bool read = parts.number(event.hammer, 9, false) && parts.letter(' ') &&
                    parts.word(event.run) && parts.letter(' ') &&
                    parts.number(event.number, kNumberDigits, true) && parts.letter(' ') &&
                    parts.letter('r') && parts.number(event.copy, 2, true) && parts.letter(' ') &&
                    parts.number(bytes, 9, false) && parts.letter(' ');
  event.whole = text.size() >= bytes;
  return read;
}

bool is_run_letter(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '_' || letter == '-';
}

std::string event_head(std::uint32_t hammer, std::string_view run, std::size_t bytes) {
  return fmt::format("{}{} {} {:0>{}} r00 {} ", kBegin, hammer, run, 0, kNumberDigits, bytes);
}

}  // namespace

std::optional<HammerEvent> find_hammer_event(std::string_view text) {
  HammerEvent event;
  if (text.starts_with(kBegin) && read_event(text, event)) {
    return event;
  }
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos;
       at = text.find(kBegin, at + 1)) {
    if (read_event(text.substr(at), event)) {
      return event;
    }
  }
  return std::nullopt;
}

bool is_run_id(std::string_view text) {
  return !text.empty() && text.size() <= kMostRunLetters &&
         std::all_of(text.begin(), text.end(), is_run_letter);
}

EventText make_event_text(std::uint32_t hammer, std::string_view run, std::size_t bytes,
                          std::string_view padding) {
  CHECK(bytes >= smallest_event(hammer, run) && !padding.empty());
  EventText event;
  event.text = event_head(hammer, run, bytes);
  event.number_at = event.text.find(' ', event.text.find(' ') + 1) + 1;
  event.copy_at = event.number_at + kNumberDigits + 2;
  while (event.text.size() < bytes) {
    event.text.append(padding.substr(0, bytes - event.text.size()));
  }
  return event;
}

std::size_t smallest_event(std::uint32_t hammer, std::string_view run) {
  return event_head(hammer, run, 999'999'999).size();
}

void put_digits(char* out, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = digits; i-- > 0; value /= 10) {
    out[i] = static_cast<char>('0' + value % 10);
  }
}

}  // namespace millrace
