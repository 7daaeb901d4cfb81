#include "core/component_types.h"

#include <array>
#include <cctype>

namespace millrace {
namespace {

// Aliases of Flume 1.11; its class names tell themselves.
constexpr auto kFlumeAliases = std::to_array<std::string_view>({"seq",
                                                                "netcat",
                                                                "netcatudp",
                                                                "exec",
                                                                "avro",
                                                                "thrift",
                                                                "syslogtcp",
                                                                "multiport_syslogtcp",
                                                                "syslogudp",
                                                                "spooldir",
                                                                "http",
                                                                "jms",
                                                                "taildir",
                                                                "memory",
                                                                "file",
                                                                "jdbc",
                                                                "spillablememory",
                                                                "null",
                                                                "logger",
                                                                "file_roll",
                                                                "hdfs",
                                                                "irc",
                                                                "hbase",
                                                                "asynchbase",
                                                                "hbase2",
                                                                "morphline_solr",
                                                                "hive",
                                                                "elasticsearch",
                                                                "timestamp",
                                                                "host",
                                                                "static",
                                                                "regex_filter",
                                                                "regex_extractor",
                                                                "remove_header",
                                                                "search_replace",
                                                                "replicating",
                                                                "multiplexing",
                                                                "load_balancing"});

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lowered;
}

}  // namespace

bool is_flume_type(std::string_view type) {
  return type.starts_with("org.apache.flume.") ||
         std::find(kFlumeAliases.begin(), kFlumeAliases.end(), lower(type)) != kFlumeAliases.end();
}

std::string_view replacement_of(std::string_view type) {
  const bool is_jdbc = lower(type) == "jdbc" || type == "org.apache.flume.channel.jdbc.JdbcChannel";
  return is_jdbc ? "use the file channel (type = file, with checkpointDir and dataDirs): it is "
                   "durable too, and needs no database"
                 : std::string_view();
}

Diagnostic fault_at(const PropertySection& section, std::string_view key, std::string message) {
  Diagnostic fault;
  fault.message = std::move(message);
  fault.key = section.prefix() + std::string(key);
  if (const Property* property = section.find(key)) {
    fault.file = property->file;
    fault.line = property->line;
    fault.key = property->full_key;
    fault.value = property->shown();
  } else if (!section.empty()) {
    fault.file = section.entries().front().file;
    fault.line = section.entries().front().line;
  }
  return fault;
}

Diagnostic about_part(const PropertySection& section, std::string message, Severity severity) {
  Diagnostic finding = fault_at(section, "type", std::move(message));
  finding.severity = severity;
  finding.key.clear();
  finding.value.clear();
  return finding;
}

}  // namespace millrace
