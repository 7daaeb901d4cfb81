// The reference page of one component, in Markdown, made from what its fields say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"

namespace millrace {

struct ReferencePage {
  std::string family;      // "source".
  std::string alias;       // "netcat"; empty when only the class name is a type.
  std::string class_name;  // "org.apache.flume.source.NetcatSource"; empty when there is none.
  std::string intro;       // Markdown between the title and the table; may be empty.
  std::vector<FieldDescription> fields;
};

// Ends with a line end. A secret's default is not shown.
std::string to_markdown(const ReferencePage& page);

// The same facts as plain text, for a terminal: a key a paragraph.
std::string to_text(const ReferencePage& page);

}  // namespace millrace
