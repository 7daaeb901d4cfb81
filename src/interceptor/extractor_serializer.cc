#include "interceptor/extractor_serializer.h"

#include <algorithm>
#include <charconv>

#include "interceptor/joda_pattern.h"

namespace millrace {
namespace {

constexpr std::string_view kPackage = "org.apache.flume.interceptor.";
constexpr std::string_view kPassThrough = "RegexExtractorInterceptorPassThroughSerializer";
constexpr std::string_view kMillis = "RegexExtractorInterceptorMillisSerializer";

class PassThrough final : public ExtractorSerializer {
 public:
  std::optional<std::string_view> serialize(std::string_view text) override { return text; }
};

// Milliseconds since 1970 of a time that the pattern describes.
class Millis final : public ExtractorSerializer {
 public:
  explicit Millis(JodaPattern pattern) : pattern_(std::move(pattern)) {}

  std::optional<std::string_view> serialize(std::string_view text) override {
    const std::optional<std::int64_t> ms = pattern_.parse(text);
    if (!ms) {
      return std::nullopt;
    }
    const auto end = std::to_chars(std::begin(digits_), std::end(digits_), *ms).ptr;
    return std::string_view(digits_, static_cast<std::size_t>(end - digits_));
  }

 private:
  const JodaPattern pattern_;
  char digits_[24] = {};
};

bool is_default(std::string_view type) {
  constexpr std::string_view kDefault = "default";
  return std::equal(type.begin(), type.end(), kDefault.begin(), kDefault.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

Result<std::unique_ptr<ExtractorSerializer>> ExtractorSerializer::make(
    const PropertySection& keys) {
  std::string_view type = keys.value_or("type", "default");
  if (is_default(type)) {
    return std::unique_ptr<ExtractorSerializer>(std::make_unique<PassThrough>());
  }
  if (type.starts_with(kPackage)) {
    type.remove_prefix(kPackage.size());
    if (type == kPassThrough) {
      return std::unique_ptr<ExtractorSerializer>(std::make_unique<PassThrough>());
    }
    if (type == kMillis) {
      JodaPattern pattern = TRY(JodaPattern::compile(keys.value_or("pattern", "")));
      return std::unique_ptr<ExtractorSerializer>(std::make_unique<Millis>(std::move(pattern)));
    }
  }
  return bad_config("expected default, " + std::string(kPackage) + std::string(kPassThrough) +
                    " or " + std::string(kPackage) + std::string(kMillis));
}

}  // namespace millrace
