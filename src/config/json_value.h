// A JSON text as a tree.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace millrace {

struct JsonValue {
  enum class Kind { kWord, kText, kList, kObject };

  Kind kind = Kind::kWord;
  std::string text;               // Of a text; of a number, true, false, null as they stand there.
  std::vector<JsonValue> items;   // Of a list; the values of an object.
  std::vector<std::string> keys;  // Of an object, one for each of the items, in order.

  bool is_text() const { return kind == Kind::kText; }
  // The last member `key` of an object; null when there is none.
  const JsonValue* find(std::string_view key) const;
};

// kCorrupt, with the byte, for what is no JSON, and for what is nested deeper than kDeepestJson.
inline constexpr int kDeepestJson = 200;
Result<JsonValue> parse_json(std::string_view json);

}  // namespace millrace
