// HEADER_AND_TEXT: "{k1=v1, k2=v2} body", one event a line.
#pragma once

#include <string>

#include "serializer/text.h"

namespace millrace {

// Headers come as Java prints a HashMap, byte by byte as Flume writes them. Threads: its sink's.
class HeaderAndTextSerializer final : public EventSerializer {
 public:
  using Config = TextConfig;
  HeaderAndTextSerializer(Config config, SerializerContext) : config_(config) {}

  FileContents contents() const override {
    return config_.append_newline ? FileContents::kLines : FileContents::kBytes;
  }
  Result<> append(const EventBatch& batch, std::string& out) override;

 private:
  const Config config_;
  std::string headers_;  // Text of the last block: a run of events often shares one.
};

}  // namespace millrace
