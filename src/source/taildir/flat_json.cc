#include "source/taildir/flat_json.h"

#include <fmt/core.h>

#include <utility>

#include "base/result.h"
#include "config/json_cursor.h"

namespace millrace {
namespace {

Result<> read_member(JsonCursor& cursor, FlatObject& out) {
  std::string name = TRY(cursor.text());
  TRY(cursor.expect(':'));
  if (cursor.next() == '"') {
    std::string value = TRY(cursor.text());
    out.texts[std::move(name)] = std::move(value);
  } else {
    const std::int64_t value = TRY(cursor.whole_number());
    out.numbers[std::move(name)] = value;
  }
  return {};
}

Result<FlatObject> read_object(JsonCursor& cursor) {
  FlatObject object;
  TRY(cursor.expect('{'));
  if (!cursor.accept('}')) {
    do {
      TRY(read_member(cursor, object));
    } while (cursor.accept(','));
    TRY(cursor.expect('}'));
  }
  return object;
}

Result<> read_objects(JsonCursor& cursor, std::vector<FlatObject>& out) {
  if (cursor.at_end()) {
    return {};
  }
  TRY(cursor.expect('['));
  if (!cursor.accept(']')) {
    do {
      out.push_back(TRY(read_object(cursor)));
    } while (cursor.accept(','));
    TRY(cursor.expect(']'));
  }
  return cursor.at_end() ? Result<>() : cursor.fault("the end");
}

}  // namespace

std::optional<std::int64_t> FlatObject::number(std::string_view name) const {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

const std::string* FlatObject::text(std::string_view name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? nullptr : &found->second;
}

FlatObjects read_flat_objects(std::string_view json) {
  FlatObjects read;
  JsonCursor cursor(json);
  if (const Result<> whole = read_objects(cursor, read.objects); !whole.ok()) {
    read.damage = whole.error().message();
  }
  return read;
}

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace millrace
