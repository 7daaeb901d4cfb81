#include "config/java_regex/java_regex.h"

#include <array>

#include "config/java_regex/parser.h"
#include "config/java_regex/pcre.h"
#include "config/java_regex/subject.h"
#include "config/utf8.h"

namespace millrace {

using java_regex::Alphabet;
using java_regex::MatchSpace;
using java_regex::next_character;
using java_regex::Program;

namespace {

// The same pattern for finding and for matching whole texts, in one alphabet.
struct Programs {
  Program find;
  Program whole;
};

Result<Programs> programs_of(const java_regex::Pattern& pattern, Alphabet alphabet) {
  const java_regex::Emitted text = TRY(emit(pattern, alphabet));
  Program find = TRY(Program::compile(text, alphabet, false));
  Program whole = TRY(Program::compile(text, alphabet, true));
  return Programs{std::move(find), std::move(whole)};
}

}  // namespace

class JavaRegex::Matcher {
 public:
  Matcher(Programs ascii, Programs unicode, const java_regex::Pattern& pattern)
      : ascii_(std::move(ascii)),
        unicode_(std::move(unicode)),
        groups_(pattern.groups),
        names_(pattern.names),
        space_(pattern.groups) {}

  RegexAnswer matches(std::string_view text) {
    begin(text);
    return space_.run(programs().whole, subject_.text());
  }
  RegexAnswer find(std::string_view text) {
    begin(text);
    return space_.run(programs().find, subject_.text());
  }
  std::optional<std::string_view> group(std::uint32_t i) const {
    const std::optional<MatchSpace::Span> span = space_.span(i);
    return span ? std::optional(subject_.text().substr(span->from, span->to - span->from))
                : std::nullopt;
  }
  std::optional<std::string_view> group_bytes(std::uint32_t i) const {
    const std::optional<MatchSpace::Span> span = space_.span(i);
    return span ? std::optional(subject_.bytes_between(span->from, span->to)) : std::nullopt;
  }
  RegexAnswer replace_all(std::string_view bytes, const JavaReplacement& replacement,
                          std::size_t most_bytes, std::string& out);

  std::uint32_t groups() const { return groups_; }
  const JavaReplacement::Names& names() const { return names_; }

 private:
  void begin(std::string_view bytes) {
    subject_.set(bytes);
    space_.begin();
  }
  const Programs& programs() const { return subject_.ascii() ? ascii_ : unicode_; }
  void append(const JavaReplacement& replacement, std::string& out) const;

  Programs ascii_;
  Programs unicode_;
  const std::uint32_t groups_;
  const JavaReplacement::Names names_;
  java_regex::Subject subject_;
  MatchSpace space_;
};

RegexAnswer JavaRegex::Matcher::replace_all(std::string_view bytes,
                                            const JavaReplacement& replacement,
                                            std::size_t most_bytes, std::string& out) {
  RegexAnswer answer = find(bytes);
  if (answer != RegexAnswer::kMatch) {
    return answer;
  }
  const std::string_view text = subject_.text();
  out.clear();
  std::size_t copied = 0;
  while (answer == RegexAnswer::kMatch && out.size() <= most_bytes) {
    const MatchSpace::Span match = *space_.span(0);
    subject_.append_bytes(copied, match.from, out);
    append(replacement, out);
    copied = match.to;
    const std::size_t next = match.from == match.to ? next_character(text, match.to) : match.to;
    if (next > text.size()) {
      break;
    }
    answer = space_.run(programs().find, text, next);
  }
  if (answer == RegexAnswer::kGaveUp || out.size() > most_bytes) {
    return RegexAnswer::kGaveUp;
  }
  subject_.append_bytes(copied, text.size(), out);
  return out.size() > most_bytes ? RegexAnswer::kGaveUp : RegexAnswer::kMatch;
}

void JavaRegex::Matcher::append(const JavaReplacement& replacement, std::string& out) const {
  for (const JavaReplacement::Piece& piece : replacement.pieces()) {
    if (!piece.is_group) {
      out += piece.text;
    } else if (const auto span = space_.span(piece.group)) {
      subject_.append_bytes(span->from, span->to, out);
    }
  }
}

Result<JavaRegex> JavaRegex::compile(std::string_view pattern) {
  if (!is_valid_utf8(pattern)) {
    return bad_config("the pattern is no UTF-8");
  }
  const java_regex::Pattern parsed = TRY(java_regex::parse(pattern));
  Programs ascii = TRY(programs_of(parsed, Alphabet::kAscii));
  Programs unicode = TRY(programs_of(parsed, Alphabet::kUnicode));
  return JavaRegex(std::make_unique<Matcher>(std::move(ascii), std::move(unicode), parsed));
}

JavaRegex::JavaRegex(std::unique_ptr<Matcher> matcher) : matcher_(std::move(matcher)) {}
JavaRegex::JavaRegex(JavaRegex&&) noexcept = default;
JavaRegex& JavaRegex::operator=(JavaRegex&&) noexcept = default;
JavaRegex::~JavaRegex() = default;

RegexAnswer JavaRegex::matches(std::string_view text) {
  return matcher_->matches(text);
}
RegexAnswer JavaRegex::find(std::string_view text) {
  return matcher_->find(text);
}
std::uint32_t JavaRegex::groups() const {
  return matcher_->groups();
}
std::optional<std::string_view> JavaRegex::group(std::uint32_t i) const {
  return matcher_->group(i);
}
std::optional<std::string_view> JavaRegex::group_bytes(std::uint32_t i) const {
  return matcher_->group_bytes(i);
}
Result<JavaReplacement> JavaRegex::replacement(std::string_view text) const {
  return JavaReplacement::compile(text, matcher_->groups(), matcher_->names());
}
RegexAnswer JavaRegex::replace_all(std::string_view text, const JavaReplacement& replacement,
                                   std::size_t most_bytes, std::string& out) {
  return matcher_->replace_all(text, replacement, most_bytes, out);
}

}  // namespace millrace
