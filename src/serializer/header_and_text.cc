#include "serializer/header_and_text.h"

#include "core/registry.h"
#include "serializer/java_map_text.h"

namespace millrace {

Result<> HeaderAndTextSerializer::append(const EventBatch& batch, std::string& out) {
  const char* block = nullptr;
  for (const EventRef& event : batch) {
    if (event.headers_data != block) {
      block = event.headers_data;
      headers_.clear();
      append_java_map_text(event.headers(), headers_);
      headers_ += ' ';
    }
    out.append(headers_).append(event.body());
    if (config_.append_newline) {
      out += '\n';
    }
  }
  return {};
}

const RegisterSerializer<HeaderAndTextSerializer> entry{
    "HEADER_AND_TEXT", "org.apache.flume.serialization.HeaderAndBodyTextEventSerializer$Builder",
    "Headers, as Java prints a map, a blank and the body, one event a line."};

}  // namespace millrace
