#include "serializer/text.h"

#include "core/registry.h"

namespace millrace {

Result<> TextSerializer::append(const EventBatch& batch, std::string& out) {
  std::size_t more = 0;
  for (const EventRef& event : batch) {
    more += event.body_size + 1;
  }
  out.reserve(out.size() + more);
  for (const EventRef& event : batch) {
    out.append(event.body());
    if (config_.append_newline) {
      out += '\n';
    }
  }
  return {};
}

const RegisterSerializer<TextSerializer> entry{
    "TEXT", "org.apache.flume.serialization.BodyTextEventSerializer$Builder",
    "Event bodies, one a line."};

}  // namespace millrace
