#include "config/java_regex/quantifier.h"

namespace millrace::java_regex {
namespace {

Result<std::uint32_t> read_count(PatternText& text, const Flags& flags) {
  constexpr std::uint32_t kMost = 65'535;  // PCRE2's.
  if (!is_digit(text.peek(flags))) {
    return text.fault("illegal repetition: { is not followed by a number");
  }
  std::uint32_t value = 0;
  while (is_digit(text.peek(flags))) {
    value = value * 10 + (text.take_raw() - '0');
    if (value > kMost) {
      return text.fault("more than 65535 repetitions are not supported");
    }
  }
  return value;
}

Result<> read_counts(PatternText& text, const Flags& flags, Node& repeat) {
  repeat.least = TRY(read_count(text, flags));
  repeat.most = repeat.least;
  if (text.take_if(',', flags)) {
    repeat.most = text.at('}', flags) ? Node::kUnbounded : TRY(read_count(text, flags));
  }
  if (!text.take_if('}', flags)) {
    return text.fault("illegal repetition: no } behind {");
  }
  if (repeat.most < repeat.least) {
    return text.fault("illegal repetition: the second number is less than the first");
  }
  return {};
}

}  // namespace

Result<std::optional<Node>> read_quantifier(PatternText& text, const Flags& flags) {
  Node repeat;
  repeat.kind = Node::Kind::kRepeat;
  repeat.most = Node::kUnbounded;
  if (text.take_if('{', flags)) {
    TRY(read_counts(text, flags, repeat));
  } else if (text.take_if('?', flags)) {
    repeat.most = 1;
  } else if (text.take_if('+', flags)) {
    repeat.least = 1;
  } else if (!text.take_if('*', flags)) {
    return std::optional<Node>();
  }
  if (text.take_if('?', flags)) {
    repeat.suffix = "?";
  } else if (text.take_if('+', flags)) {
    repeat.suffix = "+";
  }
  return std::optional(std::move(repeat));
}

}  // namespace millrace::java_regex
