// Turns the text of a group into the value of a header (Flume 1.11,
// org.apache.flume.interceptor.RegexExtractorInterceptorSerializer).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/property_section.h"

namespace millrace {

// Threads: one at a time.
class ExtractorSerializer {
 public:
  virtual ~ExtractorSerializer() = default;
  // Nothing when the text cannot be turned; otherwise valid until the next call.
  virtual std::optional<std::string_view> serialize(std::string_view text) = 0;

  // By `type` and the other keys below "serializers.NAME.". kConfig when they do not do.
  static Result<std::unique_ptr<ExtractorSerializer>> make(const PropertySection& keys);
};

}  // namespace millrace
