// TEXT: event bodies, one a line; headers are not written.
#pragma once

#include "config/fields.h"
#include "core/component.h"
#include "core/serializer.h"

namespace millrace {

// Of both text formats.
struct TextConfig {
  bool append_newline = true;

  static constexpr auto fields() {
    using C = TextConfig;
    return std::tuple{
        field("appendNewline", &C::append_newline, "Whether a line feed follows each body.")};
  }
};

// Threads: its sink's.
class TextSerializer final : public EventSerializer {
 public:
  using Config = TextConfig;
  TextSerializer(Config config, SerializerContext) : config_(config) {}

  FileContents contents() const override {
    return config_.append_newline ? FileContents::kLines : FileContents::kBytes;
  }
  Result<> append(const EventBatch& batch, std::string& out) override;

 private:
  const Config config_;
};

}  // namespace millrace
