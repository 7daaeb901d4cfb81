#include "config/json_value.h"

#include "config/json_cursor.h"

namespace millrace {
namespace {

Result<JsonValue> value_at(JsonCursor& cursor, int depth);

Result<> list_at(JsonCursor& cursor, int depth, JsonValue& list) {
  list.kind = JsonValue::Kind::kList;
  if (cursor.accept(']')) {
    return {};
  }
  do {
    list.items.push_back(TRY(value_at(cursor, depth)));
  } while (cursor.accept(','));
  return cursor.expect(']');
}

Result<> object_at(JsonCursor& cursor, int depth, JsonValue& object) {
  object.kind = JsonValue::Kind::kObject;
  if (cursor.accept('}')) {
    return {};
  }
  do {
    object.keys.push_back(TRY(cursor.text()));
    TRY(cursor.expect(':'));
    object.items.push_back(TRY(value_at(cursor, depth)));
  } while (cursor.accept(','));
  return cursor.expect('}');
}

Result<JsonValue> value_at(JsonCursor& cursor, int depth) {
  if (depth == kDeepestJson) {
    return cursor.fault("no deeper nesting");
  }
  JsonValue value;
  if (cursor.accept('[')) {
    TRY(list_at(cursor, depth + 1, value));
  } else if (cursor.accept('{')) {
    TRY(object_at(cursor, depth + 1, value));
  } else if (cursor.next() == '"') {
    value.kind = JsonValue::Kind::kText;
    value.text = TRY(cursor.text());
  } else {
    value.text = cursor.bare_word();
    if (value.text.empty()) {
      return cursor.fault("a value");
    }
  }
  return value;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = keys.size(); i > 0; --i) {
    if (keys[i - 1] == key) {
      return &items[i - 1];
    }
  }
  return nullptr;
}

Result<JsonValue> parse_json(std::string_view json) {
  JsonCursor cursor(json);
  JsonValue value = TRY(value_at(cursor, 0));
  if (!cursor.at_end()) {
    return cursor.fault("the end");
  }
  return value;
}

}  // namespace millrace
