// HEADER_AND_TEXT: "{k1=v1, k2=v2} body", one event a line.
#pragma once

#include <string>

#include "config/fields.h"
#include "core/component.h"
#include "core/serializer.h"

namespace millrace {

struct HeaderAndTextConfig {
  bool append_newline = true;

  static constexpr auto fields() {
    using C = HeaderAndTextConfig;
    return std::tuple{
        field("appendNewline", &C::append_newline, "Whether a line feed follows each body.")};
  }
};

// Headers come as Java prints a HashMap, byte by byte as Flume writes them. Threads: its sink's.
class HeaderAndTextSerializer final : public EventSerializer {
 public:
  using Config = HeaderAndTextConfig;
  HeaderAndTextSerializer(Config config, SerializerContext) : config_(config) {}

  Result<> begin(std::string&) override { return {}; }
  Result<> append(const EventBatch& batch, std::string& out) override;
  Result<> flush(std::string&) override { return {}; }
  Result<> end(std::string&) override { return {}; }

 private:
  const Config config_;
  std::string headers_;  // Text of the last block: a run of events often shares one.
};

}  // namespace millrace
