#include "config/java_regex/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/java_regex/node_width.h"

namespace millrace::java_regex {
namespace {

constexpr std::size_t kLongest = std::size_t{64} << 10;
constexpr std::size_t kMostLookBehinds = 200;
constexpr std::string_view kNothing = "(?!)";
constexpr std::string_view kAny = ".";
constexpr std::string_view kCallout = "(?C)";

bool is_word(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string character(char32_t c) {
  return is_word(c) ? std::string(1, static_cast<char>(c))
                    : fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(c));
}

class Emitter {
 public:
  Emitter(Alphabet alphabet, bool has_callouts, std::uint32_t groups)
      : alphabet_(alphabet), callout_(has_callouts ? kCallout : ""), groups_(groups) {}

  Result<std::string> text_of(const Node& node);

 private:
  using Texts = std::vector<std::string>;

  std::string set(const CharSet& whole) const;
  std::string plain_set(const CharSet& set, bool complement) const;
  std::string items(const std::vector<CodeRange>& ranges) const;
  Result<std::string> joined(const Node& node, std::string_view between);
  Result<std::string> repeat(const Node& node);
  Result<std::string> look_behind(const Node& node);
  Result<Texts> fixed_texts(const Node& node);
  Result<Texts> fixed_repeats(const Node& node);
  static Result<Texts> followed(const Texts& left, const Texts& right);
  std::string reference(const Node& node) const;

  const Alphabet alphabet_;
  const std::string_view callout_;
  const std::uint32_t groups_;
};

Result<std::string> Emitter::text_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kSequence:
      return joined(node, "");
    case Node::Kind::kChoice:
      return joined(node, "|");
    case Node::Kind::kSet:
      return set(node.set);
    case Node::Kind::kGroup:
      return std::string(node.open) + TRY(text_of(node.parts.front())) + ")";
    case Node::Kind::kLookBehind:
      return Emitter(alphabet_, false, groups_).look_behind(node);  // Short: it needs no callouts.
    case Node::Kind::kRepeat:
      return repeat(node);
    case Node::Kind::kReference:
      return reference(node);
    case Node::Kind::kPlace:
      return std::string(alphabet_ == Alphabet::kAscii ? node.place.ascii : node.place.unicode);
    case Node::Kind::kCluster:
      break;
  }
  return std::string("\\X");
}

// A choice that is no whole group brings its own.
Result<std::string> Emitter::joined(const Node& node, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const bool bare_choice = between.empty() && node.parts[i].kind == Node::Kind::kChoice;
    text += i > 0 ? between : "";
    text += bare_choice ? "(?:" : "";
    text += TRY(text_of(node.parts[i]));
    text += bare_choice ? ")" : "";
    if (text.size() > kLongest) {
      return bad_config("the pattern is too large");
    }
  }
  return text;
}

Result<std::string> Emitter::repeat(const Node& node) {
  const Node& part = node.parts.front();
  const bool is_whole =
      part.kind == Node::Kind::kSet ||
      (part.kind == Node::Kind::kGroup && width(part) != std::optional<std::uint64_t>(0));
  const std::string one = TRY(text_of(part));
  std::string text(callout_);
  if (is_whole && (callout_.empty() || part.kind == Node::Kind::kSet)) {
    text += one;
  } else {
    text.append("(?:").append(callout_).append(one).append(")");
  }
  if (node.most == Node::kUnbounded) {
    text += node.least == 0 ? "*" : node.least == 1 ? "+" : fmt::format("{{{},}}", node.least);
  } else if (node.least == 0 && node.most == 1) {
    text += '?';
  } else {
    text += fmt::format("{{{},{}}}", node.least, node.most);
  }
  return text.append(node.suffix);
}

// A group that is not there never matches, as in Java.
std::string Emitter::reference(const Node& node) const {
  if (node.least > groups_) {
    return std::string(kNothing);
  }
  const std::string text = fmt::format("\\g{{{}}}", node.least);
  return node.any_case ? "(?i:" + text + ")" : text;
}

std::string Emitter::set(const CharSet& whole) const {
  switch (whole.kind) {
    case CharSet::Kind::kPlain:
      return plain_set(whole, false);
    case CharSet::Kind::kNot:
      return whole.parts.front().kind == CharSet::Kind::kPlain
                 ? plain_set(whole.parts.front(), true)
                 : "(?:(?!" + set(whole.parts.front()) + ").)";
    case CharSet::Kind::kBoth:
      return "(?:(?=" + set(whole.parts.front()) + ")" + set(whole.parts.back()) + ")";
    case CharSet::Kind::kUnion:
      break;
  }
  std::string text;
  for (const CharSet& part : whole.parts) {
    text += (text.empty() ? "(?:" : "|") + set(part);
  }
  return text + ")";
}

std::string Emitter::plain_set(const CharSet& set, bool complement) const {
  const std::string inside = set.properties + items(set.ranges);
  if (inside.empty()) {
    return std::string(complement ? kAny : kNothing);
  }
  const bool is_one = !complement && set.properties.empty() && set.ranges.size() == 1 &&
                      set.ranges.front().from == set.ranges.front().to;
  std::string text = is_one ? inside : (complement ? "[^" : "[") + inside + "]";
  return set.any_case && alphabet_ == Alphabet::kUnicode ? "(?i:" + text + ")" : text;
}

// Surrogates are in no UTF-8, and PCRE2 refuses to hear of them.
std::string Emitter::items(const std::vector<CodeRange>& ranges) const {
  const char32_t last = alphabet_ == Alphabet::kAscii ? 0x7F : kLastCodePoint;
  std::string text;
  const auto add = [&](char32_t from, char32_t to) {
    if (from <= to) {
      text += character(from);
      text += from < to ? "-" + character(to) : "";
    }
  };
  for (const CodeRange& range : ranges) {
    const char32_t to = std::min(range.to, last);
    add(range.from, std::min<char32_t>(to, 0xD7FF));
    add(std::max<char32_t>(range.from, 0xE000), to);
  }
  return text;
}

// PCRE2 looks behind by a fixed number of characters, a different one for each branch: what varies
// is written out.
Result<std::string> Emitter::look_behind(const Node& node) {
  const Node& part = node.parts.front();
  const bool is_choice = part.kind == Node::Kind::kChoice;
  const bool is_fixed = is_choice ? std::all_of(part.parts.begin(), part.parts.end(), width)
                                  : width(part).has_value();
  if (is_fixed) {
    return std::string(node.open) + TRY(text_of(part)) + ")";
  }
  if (captures(part)) {
    return bad_config("a capturing group in a look-behind of varying length is not supported");
  }
  const Texts branches = TRY(fixed_texts(part));
  return fmt::format("{}{})", node.open, fmt::join(branches, "|"));
}

Result<Emitter::Texts> Emitter::fixed_texts(const Node& node) {
  if (width(node)) {
    return Texts{"(?:" + TRY(text_of(node)) + ")"};
  }
  Texts texts;
  switch (node.kind) {
    case Node::Kind::kChoice:
      for (const Node& part : node.parts) {
        for (std::string& text : TRY(fixed_texts(part))) {
          texts.push_back(std::move(text));
        }
      }
      return texts;
    case Node::Kind::kSequence:
      texts.emplace_back();
      for (const Node& part : node.parts) {
        const Texts next = TRY(fixed_texts(part));
        texts = TRY(followed(texts, next));
      }
      return texts;
    case Node::Kind::kRepeat:
      return fixed_repeats(node);
    case Node::Kind::kGroup:
      if (node.open == "(?:") {
        return fixed_texts(node.parts.front());
      }
      break;
    default:
      break;
  }
  return bad_config("a look-behind of no obvious greatest length");
}

Result<Emitter::Texts> Emitter::fixed_repeats(const Node& node) {
  if (node.most == Node::kUnbounded || node.suffix == "+") {
    return bad_config("a look-behind of no obvious greatest length");
  }
  const Texts once = TRY(fixed_texts(node.parts.front()));
  Texts all;
  Texts texts{""};
  for (std::uint32_t times = 0; times <= node.most; ++times) {
    if (times >= node.least) {
      all.insert(all.end(), texts.begin(), texts.end());
    }
    if (times < node.most) {
      texts = TRY(followed(texts, once));
    }
    if (all.size() > kMostLookBehinds) {
      return bad_config("a look-behind of too many lengths");
    }
  }
  return all;
}

Result<Emitter::Texts> Emitter::followed(const Texts& left, const Texts& right) {
  if (left.size() * right.size() > kMostLookBehinds) {
    return bad_config("a look-behind of too many forms");
  }
  Texts both;
  for (const std::string& begin : left) {
    for (const std::string& end : right) {
      both.push_back(begin + end);
      if (both.back().size() > kLongest / kMostLookBehinds * 4) {
        return bad_config("a look-behind that is too large");
      }
    }
  }
  return both;
}

}  // namespace

Result<Emitted> emit(const Pattern& pattern, Alphabet alphabet) {
  std::string quick = TRY(Emitter(alphabet, false, pattern.groups).text_of(pattern.root));
  std::string timed = TRY(Emitter(alphabet, true, pattern.groups).text_of(pattern.root));
  return Emitted{std::move(quick), std::move(timed)};
}

}  // namespace millrace::java_regex
