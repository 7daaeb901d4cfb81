#include "sink/logger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/log.h"
#include "core/registry.h"
#include "serializer/java_map_text.h"

namespace millrace {
namespace {

constexpr std::size_t kBytesOfLine = 16;

// A line without its offset, as Apache Commons' HexDump has it.
void append_hex_line(std::string_view bytes, std::string& out) {
  out += ' ';
  for (const char byte : bytes) {
    fmt::format_to(std::back_inserter(out), "{:02X} ", static_cast<unsigned char>(byte));
  }
  out.append((kBytesOfLine - bytes.size()) * 3, ' ');
  for (const char byte : bytes) {
    out += byte >= ' ' && byte < 127 ? byte : '.';
  }
}

}  // namespace

std::string describe_event(const EventRef& event, std::size_t max_bytes) {
  std::string text = "{ headers:";
  append_java_map_text(event.headers(), text);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '.');
  text += " body:";
  const std::string_view shown = event.body().substr(0, max_bytes);
  for (std::size_t at = 0; at < shown.size(); at += kBytesOfLine) {
    if (at > 0) {
      fmt::format_to(std::back_inserter(text), "\n{:08X}", at);
    }
    append_hex_line(shown.substr(at, kBytesOfLine), text);
  }
  return text + " }";
}

LoggerSink::LoggerSink(Config config, SinkContext context)
    : config_(config), name_("sink " + std::move(context.name)) {}

Result<> LoggerSink::deliver(const EventBatch& batch, Rejects&) {
  if (log_enabled(LogLevel::kInfo)) {
    for (const EventRef& event : batch) {
      log_line(LogLevel::kInfo, name_, "Event: " + describe_event(event, config_.max_bytes_to_log));
    }
  }
  return {};
}

const RegisterSink<LoggerSink> entry{"logger", "org.apache.flume.sink.LoggerSink",
                                     "Writes each event to the log, at level INFO."};

}  // namespace millrace
