// From the JSON of an Avro schema to its nodes.
#include <charconv>
#include <map>
#include <utility>

#include "config/json_value.h"
#include "serializer/avro_schema.h"

namespace millrace {

// Names are resolved as Avro's Java library does: one without a dot is of the namespace around it.
// Threads: one. What is nested is bounded by parse_json().
class AvroSchemaReader {
 public:
  Result<AvroSchema> read(const JsonValue& json) {
    schema_.root_ = TRY(type(json, ""));
    return std::move(schema_);
  }

 private:
  using Kind = AvroSchema::Kind;
  using Node = AvroSchema::Node;

  // The index of the node of a type; `space` is the namespace around it.
  Result<std::size_t> type(const JsonValue& json, const std::string& space);
  Result<std::size_t> named(std::string_view name, const std::string& space);
  Result<std::size_t> object(const JsonValue& json, const std::string& space);
  Result<std::size_t> definition(const JsonValue& json, Kind kind, const std::string& space);
  Result<> fields(const JsonValue& json, std::size_t index, const std::string& space);
  Result<std::size_t> add(Node node);
  static std::string full_name(std::string_view name, const std::string& space);
  static Result<std::string> text_of(const JsonValue& json, std::string_view key);

  static constexpr std::size_t kMostNodes = 100'000;
  AvroSchema schema_;
  std::map<std::string, std::size_t, std::less<>> named_;
};

Result<std::size_t> AvroSchemaReader::add(Node node) {
  if (schema_.nodes_.size() == kMostNodes) {
    return corrupt("it has too many types");
  }
  schema_.nodes_.push_back(std::move(node));
  return schema_.nodes_.size() - 1;
}

std::string AvroSchemaReader::full_name(std::string_view name, const std::string& space) {
  const bool has_space = name.find('.') != std::string_view::npos || space.empty();
  return has_space ? std::string(name) : space + "." + std::string(name);
}

Result<std::string> AvroSchemaReader::text_of(const JsonValue& json, std::string_view key) {
  const JsonValue* const found = json.find(key);
  if (found == nullptr || !found->is_text() || found->text.empty()) {
    return corrupt("a type without " + std::string(key));
  }
  return found->text;
}

Result<std::size_t> AvroSchemaReader::type(const JsonValue& json, const std::string& space) {
  switch (json.kind) {
    case JsonValue::Kind::kText:
      return named(json.text, space);
    case JsonValue::Kind::kObject:
      return object(json, space);
    case JsonValue::Kind::kList: {
      Node node{Kind::kUnion};
      for (const JsonValue& branch : json.items) {
        node.children.push_back(TRY(type(branch, space)));
      }
      return add(std::move(node));
    }
    case JsonValue::Kind::kWord:
      break;
  }
  return corrupt("\"" + json.text + "\" stands where a type should");
}

Result<std::size_t> AvroSchemaReader::named(std::string_view name, const std::string& space) {
  for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(Kind::kString); ++kind) {
    if (AvroSchema::name_of(static_cast<Kind>(kind)) == name) {
      Node node{static_cast<Kind>(kind)};
      node.is_empty = node.kind == Kind::kNull;
      return add(std::move(node));
    }
  }
  const auto found = named_.find(full_name(name, space));
  if (found == named_.end()) {
    return corrupt("there is no type \"" + std::string(name) + "\"");
  }
  return found->second;
}

Result<std::size_t> AvroSchemaReader::object(const JsonValue& json, const std::string& space) {
  const JsonValue* const of = json.find("type");
  if (of == nullptr) {
    return corrupt("an object without type");
  }
  if (!of->is_text()) {
    return type(*of, space);
  }
  const std::string& name = of->text;
  if (name == "array" || name == "map") {
    const JsonValue* const item = json.find(name == "array" ? "items" : "values");
    if (item == nullptr) {
      return corrupt("an " + name + " without a type of what is in it");
    }
    Node node{name == "array" ? Kind::kArray : Kind::kMap};
    node.children.push_back(TRY(type(*item, space)));
    return add(std::move(node));
  }
  if (name == "record" || name == "error") {
    return definition(json, Kind::kRecord, space);
  }
  if (name == "enum" || name == "fixed") {
    return definition(json, name == "enum" ? Kind::kEnum : Kind::kFixed, space);
  }
  return named(name, space);
}

Result<std::size_t> AvroSchemaReader::definition(const JsonValue& json, Kind kind,
                                                 const std::string& space) {
  const JsonValue* const own_space = json.find("namespace");
  const std::string name =
      full_name(TRY(text_of(json, "name")), own_space != nullptr ? own_space->text : space);
  const std::size_t index = TRY(add({kind, name}));
  if (!named_.emplace(name, index).second) {
    return corrupt("two types \"" + name + "\"");
  }
  if (kind == Kind::kRecord) {
    const std::size_t dot = name.rfind('.');
    TRY(fields(json, index, dot == std::string::npos ? "" : name.substr(0, dot)));
    return index;
  }
  if (kind == Kind::kFixed) {
    const JsonValue* const size = json.find("size");
    const char* const end = size != nullptr ? size->text.data() + size->text.size() : nullptr;
    std::uint64_t& bytes = schema_.nodes_[index].size;
    if (size == nullptr || std::from_chars(size->text.data(), end, bytes).ptr != end) {
      return corrupt("a fixed without size");
    }
    schema_.nodes_[index].is_empty = bytes == 0;
    return index;
  }
  const JsonValue* const symbols = json.find("symbols");
  if (symbols == nullptr || symbols->kind != JsonValue::Kind::kList) {
    return corrupt("an enum without symbols");
  }
  for (const JsonValue& symbol : symbols->items) {
    schema_.nodes_[index].names.push_back(symbol.text);
  }
  return index;
}

// A record that holds itself at once has no end: by then it is not known to be empty.
Result<> AvroSchemaReader::fields(const JsonValue& json, std::size_t index,
                                  const std::string& space) {
  const JsonValue* const list = json.find("fields");
  if (list == nullptr || list->kind != JsonValue::Kind::kList) {
    return corrupt("a record without fields");
  }
  for (const JsonValue& field : list->items) {
    std::string name = TRY(text_of(field, "name"));
    const JsonValue* const of = field.find("type");
    if (of == nullptr) {
      return corrupt("a field without type");
    }
    const std::size_t child = TRY(type(*of, space));
    Node& record = schema_.nodes_[index];
    record.names.push_back(std::move(name));
    record.children.push_back(child);
    if (!schema_.nodes_[child].is_empty) {
      record.passed.push_back(child);
    }
  }
  schema_.nodes_[index].is_empty = schema_.nodes_[index].passed.empty();
  return {};
}

Result<AvroSchema> AvroSchema::parse(std::string_view json) {
  const JsonValue value = TRY(parse_json(json).with("the schema is no JSON"));
  return AvroSchemaReader().read(value).with("the schema");
}

}  // namespace millrace
