#include "config/reference_page.h"

#include <fmt/core.h>

#include <utility>

namespace millrace {

namespace {

std::string title(const ReferencePage& page) {
  const std::string& name = page.alias.empty() ? page.class_name : page.alias;
  return fmt::format("{} {}", name, page.family);
}

// A cell of a Markdown table cannot hold '|' or a line end.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : "`" + cell(text) + "`";
}

// "mapping.*" for a key that stands for all that begin so.
std::string shown_key(const FieldDescription& field) {
  return field.is_prefix ? field.key + "*" : field.key;
}

std::string join_choices(const FieldDescription& field, std::string_view quote) {
  std::string list;
  for (const std::string& choice : field.choices) {
    list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", quote, cell(choice), quote);
  }
  return list;
}

std::string shown_default(const FieldDescription& field) {
  return field.secret ? std::string() : field.default_text;
}

// What follows the help sentence, each a sentence.
std::string notes(const FieldDescription& field, std::string_view quote) {
  std::string text;
  const auto add = [&text](const std::string& sentence) { text += " " + sentence + "."; };
  if (!field.choices.empty()) {
    add("One of " + join_choices(field, quote));
  }
  if (!field.range.empty()) {
    add("From " + field.range);
  }
  if (!field.example.empty()) {
    add(fmt::format("Example: {}{}{}", quote, cell(field.example), quote));
  }
  if (field.lenient) {
    add("A bad value is replaced by the default, with a warning");
  }
  if (field.secret) {
    add("A secret: never printed");
  }
  if (!field.deprecated.empty()) {
    add("Old key: " + cell(field.deprecated));
  }
  if (!field.ignored.empty()) {
    add("Accepted without effect: " + cell(field.ignored));
  }
  return text;
}

std::string types(const ReferencePage& page, std::string_view quote) {
  const auto quoted = [quote](const std::string& text) {
    return fmt::format("{}{}{}", quote, text, quote);
  };
  if (page.alias.empty() || page.class_name.empty()) {
    return quoted(page.alias.empty() ? page.class_name : page.alias);
  }
  return quoted(page.alias) + " or " + quoted(page.class_name);
}

}  // namespace

std::string to_markdown(const ReferencePage& page) {
  std::string text = fmt::format("# {}\n\nType: {}.\n", title(page), types(page, "`"));
  if (!page.intro.empty()) {
    text += "\n" + page.intro + (page.intro.ends_with('\n') ? "" : "\n");
  }
  if (page.fields.empty()) {
    return text + "\nIt has no keys of its own.\n";
  }
  text += "\n| Key | Type | Default | What it is |\n|---|---|---|---|\n";
  for (const FieldDescription& field : page.fields) {
    text += fmt::format("| {} | {} | {} | {}{} |\n", code(shown_key(field)), cell(field.type),
                        field.required ? "**required**" : code(shown_default(field)),
                        cell(field.help), notes(field, "`"));
  }
  return text;
}

std::string to_text(const ReferencePage& page) {
  std::string text = fmt::format("{}\n  type: {}\n", title(page), types(page, ""));
  if (!page.intro.empty()) {
    text += fmt::format("  {}{}", page.intro, page.intro.ends_with('\n') ? "" : "\n");
  }
  for (const FieldDescription& field : page.fields) {
    const std::string value = shown_default(field);
    text += fmt::format("\n  {} ({}{})\n      {}{}\n", shown_key(field), field.type,
                        field.required ? ", required" : (value.empty() ? "" : ", default " + value),
                        field.help, notes(field, "\""));
  }
  return text;
}

}  // namespace millrace
