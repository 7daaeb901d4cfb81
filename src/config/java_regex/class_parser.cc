#include "config/java_regex/class_parser.h"

#include "config/java_regex/escapes.h"

namespace millrace::java_regex {
namespace {

constexpr int kDeepest = 60;
constexpr char32_t kVerticalTab = 0x0B;

// One class, or the right side of an intersection, which ends before the bracket of its class.
class ClassReader {
 public:
  ClassReader(PatternText& text, const Flags& flags, int depth)
      : text_(text), flags_(flags), depth_(depth) {}

  Result<CharSet> read(bool is_right_side);

 private:
  bool ends() { return set_ && text_.at(']', flags_); }
  bool at_intersection() { return text_.at('&', flags_) && text_.peek_raw(1) == '&'; }
  void add(CharSet set) { set_ = set_ ? united(std::move(*set_), std::move(set)) : std::move(set); }
  Result<> intersect();
  Result<> item();
  Result<Escaped> one(bool ends_range);
  Result<Escaped> escape(bool ends_range);

  PatternText& text_;
  const Flags& flags_;
  const int depth_;
  std::optional<CharSet> set_;
};

Result<CharSet> ClassReader::read(bool is_right_side) {
  if (depth_ > kDeepest) {
    return text_.fault("classes nested too deep");
  }
  const bool complement = !is_right_side && text_.peek_raw() == '^' && !text_.is_quoted();
  if (complement) {
    text_.take_raw();
  }
  while (!ends()) {
    if (text_.peek(flags_) == kEnd) {
      return text_.fault("unclosed character class");
    }
    if (text_.take_if('[', flags_)) {
      add(TRY(read_class(text_, flags_, depth_ + 1)));
    } else if (at_intersection()) {
      TRY(intersect());
    } else {
      TRY(item());
    }
  }
  if (!is_right_side) {
    text_.take(flags_);
  }
  return complement ? negated(std::move(*set_)) : std::move(*set_);
}

// Behind && come classes, or items up to the end of the class or the next &&.
Result<> ClassReader::intersect() {
  text_.take(flags_);
  text_.take(flags_);
  std::optional<CharSet> right;
  while (!text_.at(']', flags_) && !text_.at('&', flags_)) {
    if (text_.peek(flags_) == kEnd) {
      return text_.fault("unclosed character class");
    }
    const bool is_class = text_.take_if('[', flags_);
    Result<CharSet> next = is_class ? read_class(text_, flags_, depth_ + 1)
                                    : ClassReader(text_, flags_, depth_ + 1).read(true);
    if (!next.ok()) {
      return std::move(next).error();
    }
    right = right ? united(std::move(*right), std::move(next).value()) : std::move(next).value();
  }
  if (!right) {
    return text_.fault("bad class: nothing on the right of &&");
  }
  set_ = set_ ? intersected(std::move(*set_), std::move(*right)) : std::move(*right);
  return {};
}

// A character, a range or a set.
Result<> ClassReader::item() {
  Escaped first = TRY(one(false));
  if (auto* const set = std::get_if<CharSet>(&first)) {
    add(std::move(*set));
    return {};
  }
  const auto from = std::get<char32_t>(first);
  const bool is_range = text_.at('-', flags_) && text_.peek_raw(1) != ']' &&
                        text_.peek_raw(1) != '[' && text_.peek_raw(1) != kEnd;
  if (!is_range) {
    add(single(from, flags_));
    return {};
  }
  text_.take(flags_);
  const Escaped last = TRY(one(true));
  const auto* const to = std::get_if<char32_t>(&last);
  if (to == nullptr || *to < from) {
    return text_.fault("illegal character range");
  }
  add(range(from, *to, flags_));
  return {};
}

Result<Escaped> ClassReader::one(bool ends_range) {
  const bool quoted = text_.peek(flags_) != kEnd && text_.is_quoted();
  const char32_t c = text_.take(flags_);
  if (c == kEnd) {
    return text_.fault("unclosed character class");
  }
  return c == '\\' && !quoted ? escape(ends_range) : Result<Escaped>(c);
}

Result<Escaped> ClassReader::escape(bool ends_range) {
  // \v at an end of a range is the one character that it was before Java 8.
  if (text_.peek_raw() == 'v' && (ends_range || text_.peek_raw(1) == '-')) {
    text_.take_raw();
    return Escaped(kVerticalTab);
  }
  std::optional<Escaped> escaped = TRY(read_escape(text_, flags_));
  if (!escaped) {
    return text_.fault("illegal escape in a character class");
  }
  return std::move(*escaped);
}

}  // namespace

Result<CharSet> read_class(PatternText& text, const Flags& flags, int depth) {
  return ClassReader(text, flags, depth).read(false);
}

}  // namespace millrace::java_regex
