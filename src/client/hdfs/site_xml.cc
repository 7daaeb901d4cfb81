#include "client/hdfs/site_xml.h"

#include <fmt/core.h>

#include <algorithm>
#include <pugixml.hpp>
#include <utility>

namespace millrace::hdfs {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) {
    return {};
  }
  return std::string(text.substr(begin, text.find_last_not_of(kWhite) - begin + 1));
}

// All of it, with a comment in its midst left out.
std::string text_of(const pugi::xml_node& element) {
  std::string text;
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
    }
  }
  return trimmed(text);
}

// Hadoop takes each part as an element or as an attribute.
std::string part(const pugi::xml_node& property, const char* name) {
  const pugi::xml_attribute attribute = property.attribute(name);
  return attribute ? trimmed(attribute.value()) : text_of(property.child(name));
}

bool is_include(const pugi::xml_node& element) {
  const std::string_view name = element.name();
  return name == "include" || name.ends_with(":include");
}

long line_of(std::string_view xml, std::ptrdiff_t offset) {
  const auto bounded =
      std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(xml.size()));
  return std::count(xml.begin(), xml.begin() + bounded, '\n') + 1;
}

}  // namespace

Result<std::vector<SiteProperty>> parse_site_xml(std::string_view xml, const std::string& file) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  if (!parsed) {
    return bad_config(
        fmt::format("{}:{}: {}", file, line_of(xml, parsed.offset), parsed.description()));
  }
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "configuration") {
    return bad_config(fmt::format("{}: <configuration> was expected, not <{}>", file, root.name()));
  }
  std::vector<SiteProperty> properties;
  for (const pugi::xml_node& element : root.children()) {
    if (is_include(element)) {
      return bad_config(fmt::format("{}:{}: includes of other files are not supported", file,
                                    line_of(xml, element.offset_debug())));
    }
    SiteProperty property{part(element, "name"), part(element, "value"),
                          part(element, "final") == "true"};
    if (std::string_view(element.name()) == "property" && !property.name.empty()) {
      properties.push_back(std::move(property));
    }
  }
  return properties;
}

}  // namespace millrace::hdfs
