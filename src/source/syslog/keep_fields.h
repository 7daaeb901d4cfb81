// Which parts of a syslog message's head stay in the body: the key `keepFields`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/syslog/syslog_parser.h"

namespace millrace {

struct KeepFields {
  bool all = false;  // The body is the line as received.
  bool priority = false;
  bool version = false;
  bool timestamp = false;
  bool host = false;

  bool none() const { return !all && !priority && !version && !timestamp && !host; }
};

// "none" or "false", "all" or "true", or any of priority, version, timestamp, hostname, separated
// by anything, in any case. Words unknown to it keep nothing (Flume 1.11, class SyslogUtils).
KeepFields parse_keep_fields(std::string_view text);
// Words of the text that name nothing.
std::vector<std::string> unknown_keep_fields(std::string_view text);

// What `keep` puts in front of the message: "<pri>" version " " timestamp " " host " ", as
// received.
std::string kept_head(const KeepFields& keep, const SyslogMessage& message);

}  // namespace millrace
