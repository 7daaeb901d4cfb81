// Branches, sequences, atoms and what repeats them.
#include "config/java_regex/parser.h"

#include <utility>
#include <variant>

#include "config/java_regex/class_parser.h"
#include "config/java_regex/escapes.h"
#include "config/java_regex/pattern_parser.h"
#include "config/java_regex/places.h"
#include "config/java_regex/quantifier.h"

namespace millrace::java_regex {
namespace {

Node of_set(CharSet set) {
  Node node;
  node.kind = Node::Kind::kSet;
  node.set = std::move(set);
  return node;
}

Node of_place(Place place) {
  Node node;
  node.kind = Node::Kind::kPlace;
  node.place = place;
  return node;
}

Node with_parts(Node::Kind kind, std::vector<Node> parts) {
  Node node;
  node.kind = kind;
  node.parts = std::move(parts);
  return node;
}

}  // namespace

Result<Pattern> PatternParser::parse() {
  pattern_.root = TRY(choice());
  if (text_.peek(flags_) != kEnd) {
    return text_.fault("unmatched closing parenthesis");
  }
  return std::move(pattern_);
}

Result<Node> PatternParser::choice() {
  std::vector<Node> branches;
  do {
    branches.push_back(TRY(sequence()));
  } while (text_.take_if('|', flags_));
  return branches.size() == 1 ? std::move(branches.front())
                              : with_parts(Node::Kind::kChoice, std::move(branches));
}

Result<Node> PatternParser::sequence() {
  Node sequence;
  while (text_.peek(flags_) != kEnd && !text_.at('|', flags_) && !text_.at(')', flags_)) {
    std::optional<Node> next = TRY(atom());
    if (next) {
      sequence.parts.push_back(TRY(repeated(std::move(*next))));
    }
  }
  return sequence;
}

// Nothing for flags that hold from here on.
Result<std::optional<Node>> PatternParser::atom() {
  if (text_.is_quoted()) {
    return std::optional(of_set(single(text_.take_raw(), flags_)));
  }
  if (text_.at('{', flags_)) {  // Behind nothing: as in Java, it repeats that nothing.
    return std::optional(Node());
  }
  const char32_t c = text_.take(flags_);
  switch (c) {
    case '(':
      return open_group();
    case '[':
      return std::optional(of_set(TRY(read_class(text_, flags_))));
    case '\\':
      return std::optional(TRY(escape()));
    case '.':
      return std::optional(of_set(dot(flags_)));
    case '^':
      return std::optional(of_place(line_start(flags_)));
    case '$':
      return std::optional(of_place(line_end(flags_)));
    case '*':
    case '+':
    case '?':
      return text_.fault(std::string("nothing to repeat before ") + static_cast<char>(c));
    default:
      return std::optional(of_set(single(c, flags_)));
  }
}

Result<Node> PatternParser::escape() {
  std::optional<Escaped> escaped = TRY(read_escape(text_, flags_));
  if (escaped) {
    auto* const set = std::get_if<CharSet>(&*escaped);
    return of_set(set != nullptr ? std::move(*set) : single(std::get<char32_t>(*escaped), flags_));
  }
  const char32_t c = text_.take_raw();
  if (is_digit(c)) {
    return back_reference(c - '0');
  }
  switch (c) {
    case 'k':
      return named_reference();
    case 'R': {
      std::vector<Node> line_end;
      line_end.push_back(of_set(CharSet::of({{'\r', '\r'}})));
      line_end.push_back(of_set(CharSet::of({{'\n', '\n'}})));
      std::vector<Node> either;
      either.push_back(with_parts(Node::Kind::kSequence, std::move(line_end)));
      either.push_back(of_set(*predefined('v', flags_)));
      return with_parts(Node::Kind::kChoice, std::move(either));
    }
    case 'X':
      return with_parts(Node::Kind::kCluster, {});
    case 'b':
      if (text_.peek_raw() == '{' && text_.peek_raw(1) == 'g') {
        return text_.fault("\\b{g} is not supported");
      }
      break;
    default:
      break;
  }
  const std::optional<Place> place = named_place(c, flags_);
  if (!place) {
    return text_.fault("illegal escape");
  }
  return of_place(*place);
}

// \1 takes further digits as long as there are so many groups before it.
Node PatternParser::back_reference(std::uint32_t group) {
  while (is_digit(text_.peek(flags_)) && !text_.is_quoted()) {
    const std::uint32_t longer = group * 10 + (text_.peek_raw() - '0');
    if (longer > pattern_.groups) {
      break;
    }
    group = longer;
    text_.take_raw();
  }
  Node node;
  node.kind = Node::Kind::kReference;
  node.least = group;
  node.any_case = flags_.any_case;
  return node;
}

Result<Node> PatternParser::named_reference() {
  if (text_.take_raw() != '<') {
    return text_.fault("\\k is not followed by <name>");
  }
  std::string name;
  for (char32_t c = text_.take_raw(); c != '>'; c = text_.take_raw()) {
    if (!is_letter(c) && !is_digit(c)) {
      return text_.fault("\\k<name> is not closed by >");
    }
    name += static_cast<char>(c);
  }
  const auto found = pattern_.names.find(name);
  if (found == pattern_.names.end()) {
    return text_.fault("no group before this is named \"" + name + "\"");
  }
  Node node;
  node.kind = Node::Kind::kReference;
  node.least = found->second;
  node.any_case = flags_.any_case;
  return node;
}

Result<Node> PatternParser::repeated(Node atom) {
  std::optional<Node> repeat = TRY(read_quantifier(text_, flags_));
  if (!repeat || (atom.kind == Node::Kind::kSequence && atom.parts.empty())) {
    return atom;
  }
  if (atom.kind == Node::Kind::kChoice) {  // \R: repeated, Java does not go back into it.
    Node whole = with_parts(Node::Kind::kGroup, {});
    whole.open = "(?>";
    whole.parts.push_back(std::move(atom));
    atom = std::move(whole);
  }
  repeat->parts.push_back(std::move(atom));
  return std::move(*repeat);
}

Result<Pattern> parse(std::string_view pattern) {
  return PatternParser(pattern).parse();
}

}  // namespace millrace::java_regex
