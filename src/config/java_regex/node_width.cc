#include "config/java_regex/node_width.h"

#include <algorithm>

namespace millrace::java_regex {

std::optional<std::uint64_t> width(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kSet:
      return 1;
    case Node::Kind::kPlace:
    case Node::Kind::kLookBehind:
      return 0;
    case Node::Kind::kGroup:
      return node.open == "(?=" || node.open == "(?!" ? 0 : width(node.parts.front());
    case Node::Kind::kRepeat: {
      const auto one = width(node.parts.front());
      return one && node.least == node.most ? std::optional(*one * node.least) : std::nullopt;
    }
    case Node::Kind::kSequence: {
      std::uint64_t sum = 0;
      for (const Node& part : node.parts) {
        const auto one = width(part);
        if (!one) {
          return std::nullopt;
        }
        sum += *one;
      }
      return sum;
    }
    case Node::Kind::kChoice: {
      const auto first = width(node.parts.front());
      const bool same = std::all_of(node.parts.begin(), node.parts.end(),
                                    [&](const Node& part) { return width(part) == first; });
      return same ? first : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool captures(const Node& node) {
  return (node.kind == Node::Kind::kGroup && node.open == "(") ||
         std::any_of(node.parts.begin(), node.parts.end(), captures);
}

}  // namespace millrace::java_regex
