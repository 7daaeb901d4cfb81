// The parser of patterns: its state, and which of its files does what.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "config/java_regex/pattern_text.h"
#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

// Goes through a pattern once, from left to right. Threads: one.
class PatternParser {
 public:
  explicit PatternParser(std::string_view pattern) : text_(pattern) {}

  // Once.
  Result<Pattern> parse();

 private:
  // parser.cc
  Result<Node> choice();
  Result<Node> sequence();
  Result<std::optional<Node>> atom();
  Result<Node> escape();
  Result<Node> repeated(Node atom);
  Node back_reference(std::uint32_t group);
  Result<Node> named_reference();
  // group_parser.cc: groups, flags and look-around.
  Result<std::optional<Node>> open_group();
  Result<std::optional<Node>> special_group();
  Result<std::optional<Node>> look_behind_or_name();
  Result<> group_name();
  Result<bool> inline_flags();

  PatternText text_;
  Flags flags_;
  Pattern pattern_;
  int depth_ = 0;
};

}  // namespace millrace::java_regex
