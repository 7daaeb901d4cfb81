// What stands in parentheses: groups, their names, look-around, and flags.
#include <utility>

#include "config/java_regex/escapes.h"
#include "config/java_regex/pattern_parser.h"

namespace millrace::java_regex {
namespace {

constexpr int kDeepest = 100;

}  // namespace

// Behind a parenthesis. Nothing for flags alone.
Result<std::optional<Node>> PatternParser::open_group() {
  if (++depth_ > kDeepest) {
    return text_.fault("groups nested too deep");
  }
  const Flags outside = flags_;
  Node group;
  group.kind = Node::Kind::kGroup;
  group.open = "(";
  if (text_.take_if('?', flags_)) {
    std::optional<Node> special = TRY(special_group());
    if (!special) {
      --depth_;
      return special;
    }
    group = std::move(*special);
  } else {
    ++pattern_.groups;
  }
  group.parts.push_back(TRY(choice()));
  if (!text_.take_if(')', flags_)) {
    return text_.fault("unclosed group");
  }
  flags_ = outside;
  --depth_;
  return std::optional(std::move(group));
}

// Behind "(?".
Result<std::optional<Node>> PatternParser::special_group() {
  Node group;
  group.kind = Node::Kind::kGroup;
  switch (text_.peek_raw()) {
    case ':':
      group.open = "(?:";
      break;
    case '>':
      group.open = "(?>";
      break;
    case '=':
      group.open = "(?=";
      break;
    case '!':
      group.open = "(?!";
      break;
    case '<':
      text_.take_raw();
      return look_behind_or_name();
    default: {
      group.open = "(?:";
      const bool opens = TRY(inline_flags());
      return opens ? std::optional(std::move(group)) : std::nullopt;
    }
  }
  text_.take_raw();
  return std::optional(std::move(group));
}

Result<std::optional<Node>> PatternParser::look_behind_or_name() {
  Node group;
  group.kind = Node::Kind::kLookBehind;
  if (text_.peek_raw() == '=' || text_.peek_raw() == '!') {
    group.open = text_.take_raw() == '=' ? "(?<=" : "(?<!";
    return std::optional(std::move(group));
  }
  TRY(group_name());
  group.kind = Node::Kind::kGroup;
  group.open = "(";
  return std::optional(std::move(group));
}

Result<> PatternParser::group_name() {
  std::string name;
  if (!is_letter(text_.peek_raw())) {
    return text_.fault("unknown kind of group");
  }
  for (char32_t c = text_.take_raw(); c != '>'; c = text_.take_raw()) {
    if (!is_letter(c) && !is_digit(c)) {
      return text_.fault("a group's name has letters and digits, and > behind it");
    }
    name += static_cast<char>(c);
  }
  if (!pattern_.names.emplace(name, ++pattern_.groups).second) {
    return text_.fault("two groups are named \"" + name + "\"");
  }
  return {};
}

// True when they are those of a group that begins here, "(?i:"; false for "(?i)".
Result<bool> PatternParser::inline_flags() {
  bool on = true;
  const Flags outside = flags_;
  for (;;) {
    const char32_t c = text_.take(flags_);
    if (c == ')') {
      return false;
    }
    if (c == ':') {
      return true;
    }
    if (c == '-' && on) {
      on = false;
    } else if (!set_flag(flags_, c, on)) {
      flags_ = outside;
      return text_.fault("unknown flag or kind of group; flags are i, d, m, s, u, x and U");
    }
  }
}

}  // namespace millrace::java_regex
