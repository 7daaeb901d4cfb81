#include "source/syslog/keep_fields.h"

#include <utility>

#include "config/property_section.h"

namespace millrace {
namespace {

std::string trimmed_lower(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r\n\f");
  if (from == std::string_view::npos) {
    return {};
  }
  std::string lower(text.substr(from, text.find_last_not_of(" \t\r\n\f") - from + 1));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return lower;
}

}  // namespace

KeepFields parse_keep_fields(std::string_view text) {
  const std::string words = trimmed_lower(text);
  const auto names = [&](std::string_view field) {
    return words.find(field) != std::string_view::npos;
  };
  KeepFields keep;
  if (words == "true" || words == "all") {
    keep.all = true;
  } else if (words != "false" && words != "none") {
    keep.priority = names("priority");
    keep.version = names("version");
    keep.timestamp = names("timestamp");
    keep.host = names("hostname");
  }
  return keep;
}

std::vector<std::string> unknown_keep_fields(std::string_view text) {
  const std::string words = trimmed_lower(text);
  std::vector<std::string> unknown;
  if (words == "true" || words == "all" || words == "false" || words == "none") {
    return unknown;
  }
  for (std::string& word : split_words(words)) {
    const KeepFields kept = parse_keep_fields(word);
    if (!kept.priority && !kept.version && !kept.timestamp && !kept.host) {
      unknown.push_back(std::move(word));
    }
  }
  return unknown;
}

std::string kept_head(const KeepFields& keep, const SyslogMessage& message) {
  std::string head;
  if (keep.priority) {
    head.append("<").append(message.priority_text).append(">");
  }
  if (keep.version && !message.version.empty()) {
    head.append(message.version).append(" ");
  }
  if (keep.timestamp) {
    head.append(message.timestamp_text).append(" ");
  }
  if (keep.host) {
    head.append(message.host_text).append(" ");
  }
  return head;
}

}  // namespace millrace
