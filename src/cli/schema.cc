// `millrace schema`: the keys of every component as a JSON schema, for editors and checks of one's
// own.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/component_families.h"
#include "cli/options.h"
#include "config/nearest_name.h"
#include "web/json_text.h"

namespace millrace {
namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// `"key":value` pairs in braces.
class Object {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += fmt::format("{}{}:{}", text_.empty() ? "" : ",", json_string(key), json);
  }
  void add_text(std::string_view key, std::string_view text) { add(key, json_string(text)); }
  bool empty() const { return text_.empty(); }
  std::string json() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string array_of(const std::vector<std::string>& texts) {
  std::string json;
  for (const std::string& text : texts) {
    json += (json.empty() ? "" : ",") + json_string(text);
  }
  return "[" + json + "]";
}

std::string json_type(const FieldDescription& field) {
  static const std::set<std::string, std::less<>> whole{"whole number", "bytes", "seconds",
                                                        "milliseconds"};
  if (whole.contains(field.type)) {
    return "integer";
  }
  if (field.type == "true or false") {
    return "boolean";
  }
  return field.type == "number" ? "number" : "string";
}

void add_range(Object& object, const std::string& range) {
  const std::size_t to = range.find(" to ");
  if (to != std::string::npos) {
    object.add("minimum", range.substr(0, to));
    object.add("maximum", range.substr(to + 4));
  }
}

std::string schema_of(const FieldDescription& field) {
  Object object;
  const std::string type = json_type(field);
  object.add_text("type", type);
  const bool has_unit = type == "integer" && field.type != "whole number";
  object.add_text("description", field.help + (has_unit ? " In " + field.type + "." : ""));
  add_range(object, field.range);
  if (!field.choices.empty()) {
    object.add("enum", array_of(field.choices));
  }
  if (!field.default_text.empty() && !field.secret) {
    object.add("default", type == "string" ? json_string(field.default_text) : field.default_text);
  }
  if (!field.example.empty()) {
    const std::string example = type == "string" ? json_string(field.example) : field.example;
    object.add("examples", "[" + example + "]");
  }
  if (field.secret) {
    object.add("writeOnly", "true");
  }
  if (!field.deprecated.empty() || !field.ignored.empty()) {
    object.add("deprecated", "true");
  }
  return object.json();
}

// A regular expression for the keys that begin with `prefix` and go on behind it.
std::string pattern_of(std::string_view prefix) {
  std::string pattern = "^";
  for (const char c : prefix) {
    pattern += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'
                   ? std::string(1, c)
                   : "[" + std::string(1, c) + "]";
  }
  return pattern + ".+";
}

class ComponentSchema {
 public:
  ComponentSchema(const Family& family, const ComponentInfo& info) {
    object_.add_text("title", fmt::format("{} {}", name_of(info), family.name));
    object_.add_text("description", info.about);
    object_.add_text("type", "object");
    for (const FieldDescription& field : info.fields) {
      add(field.key, field.is_prefix, schema_of(field));
      if (field.required && !field.is_prefix) {
        required_.push_back(field.key);
      }
    }
    for (const std::string_view key : family.common.keys) {
      const bool is_prefix = key.ends_with('*');
      add(key.substr(0, key.size() - (is_prefix ? 1 : 0)), is_prefix, "{}");
    }
  }
  std::string json() {
    object_.add("properties", properties_.json());
    if (!patterns_.empty()) {
      object_.add("patternProperties", patterns_.json());
    }
    if (!required_.empty()) {
      object_.add("required", array_of(required_));
    }
    object_.add("additionalProperties", "false");
    return object_.json();
  }

 private:
  void add(std::string_view key, bool is_prefix, const std::string& schema) {
    if (seen_.emplace(key).second) {
      (is_prefix ? patterns_ : properties_).add(is_prefix ? pattern_of(key) : key, schema);
    }
  }

  Object object_;
  Object properties_;
  Object patterns_;
  std::vector<std::string> required_;
  std::set<std::string, std::less<>> seen_;
};

int schema(const std::vector<std::string>& wanted) {
  Object definitions;
  std::vector<std::string> missing = wanted;
  std::vector<std::string> known;
  const std::vector<Family> families = component_families();
  for (const Family& family : families) {
    for (const ComponentInfo& info : family.components) {
      known.push_back(name_of(info));
      const auto means_it = [&](const std::string& name) { return is_component_name(name, info); };
      if (wanted.empty() || std::any_of(wanted.begin(), wanted.end(), means_it)) {
        std::erase_if(missing, means_it);
        definitions.add(family.name + "." + name_of(info), ComponentSchema(family, info).json());
      }
    }
  }
  for (const std::string& name : missing) {
    const std::string hint = did_you_mean(nearest_name(name, {known.begin(), known.end()}));
    fmt::print(stderr, "millrace schema: there is no \"{}\"{}{}\n", name, hint.empty() ? "" : "; ",
               hint);
  }
  if (!missing.empty()) {
    return kBadUsage;
  }
  Object document;
  document.add_text("$schema", kDialect);
  document.add_text("title", "Components of Millrace");
  document.add("$defs", definitions.json());
  fmt::print("{}\n", document.json());
  return kDone;
}

}  // namespace

int run_schema(const CommandLine& line) {
  std::vector<std::string> names;
  Options options("schema", "Prints the keys of components as a JSON schema.");
  options.rest("NAME", names, 0, "Aliases or class names; none: every component.");
  options.rest_words(component_names());
  options.footer(
      "Each component is one of \"$defs\", by its family and name: \"sink.file_roll\". Its keys "
      "are "
      "those below\nAGENT.sinks.NAME.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  return schema(names);
}

}  // namespace millrace
