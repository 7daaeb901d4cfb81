// The JSON of a position file: a list of objects whose members are whole numbers and texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

struct FlatObject {
  std::map<std::string, std::int64_t, std::less<>> numbers;
  std::map<std::string, std::string, std::less<>> texts;

  std::optional<std::int64_t> number(std::string_view name) const;
  const std::string* text(std::string_view name) const;  // Null: there is none.
};

struct FlatObjects {
  std::vector<FlatObject> objects;  // Whole ones, up to the damage.
  std::string damage;               // What is wrong, and at which byte; empty: nothing.
};

// Takes what can be read of a list that may be cut off anywhere. A text without anything but blanks
// is a list without objects: Flume leaves such files.
FlatObjects read_flat_objects(std::string_view json);

// Appends `text` in quotes. Bytes beyond ASCII are left as they are: they name files.
void append_json_text(std::string& out, std::string_view text);

}  // namespace millrace
