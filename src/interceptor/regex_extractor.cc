// Headers from bodies (Flume 1.11, org.apache.flume.interceptor.RegexExtractorInterceptor).
#include <algorithm>
#include <optional>
#include <vector>

#include "base/check.h"
#include "core/header_appender.h"
#include "core/registry.h"
#include "interceptor/extractor_serializer.h"
#include "interceptor/regex_support.h"

namespace millrace {

struct RegexExtractorConfig {
  std::string regex;
  std::vector<std::string> serializers;
  PropertySection serializer_keys;

  static constexpr auto fields() {
    using C = RegexExtractorConfig;
    return std::tuple{
        field(
            "regex", &C::regex,
            "Java regular expression, looked for anywhere in the body; its groups become headers.")
            .required()
            .example("code=(\\d+) user=(\\w+)"),
        field("serializers", &C::serializers,
              "Names of our own choice, one for each group, in order; groups beyond them are left.")
            .required()
            .example("s1 s2"),
        field("serializers.", &C::serializer_keys,
              "NAME.name: the header (required). NAME.type: default, or Flume's class of the "
              "pass-through or of the millis serializer. NAME.pattern: of millis, as in Joda-Time.")
            .example("serializers.s1.name = code"),
    };
  }
  void check(ConfigCheck& check) const;
};

void RegexExtractorConfig::check(ConfigCheck& check) const {
  check_regex(check, "regex", regex);
  std::vector<std::string> headers;
  for (const std::string& name : serializers) {
    const PropertySection keys = serializer_keys.sub(name + ".");
    const std::string header(keys.value_or("name", ""));
    if (header.empty()) {
      check.fault("serializers." + name + ".name", "is required and missing");
    } else if (std::find(headers.begin(), headers.end(), header) != headers.end()) {
      check.fault("serializers." + name + ".name", "is the header of another serializer too");
    }
    headers.push_back(header);
    if (const auto made = ExtractorSerializer::make(keys); !made.ok()) {
      const bool about_pattern = keys.find("pattern") != nullptr;
      check.fault("serializers." + name + (about_pattern ? ".pattern" : ".type"),
                  made.error().message());
    }
  }
}

// A group that took no part in the match gives no header, nor one whose text its serializer cannot
// turn; the event itself always goes on.
class RegexExtractorInterceptor final : public Interceptor {
 public:
  using Config = RegexExtractorConfig;
  RegexExtractorInterceptor(const Config& config, const InterceptorContext& context)
      : regex_(checked_regex(config.regex)),
        gave_up_(context, kGaveUpCounter, "the search for its expression gave up"),
        unreadable_(context, "EventUnreadableGroupCount", "a group is no time of its pattern") {
    const std::size_t used = std::min<std::size_t>(config.serializers.size(), regex_.groups());
    for (const std::string& name : config.serializers) {
      if (names_.size() < used) {
        const PropertySection keys = config.serializer_keys.sub(name + ".");
        names_.emplace_back(keys.value_or("name", ""));
        serializers_.push_back(ExtractorSerializer::make(keys).value());
      }
    }
    values_.resize(used);
  }

  void apply(EventBatch::Builder& batch) override {
    HeaderAppender headers(batch, names_);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const RegexAnswer answer = regex_.find(batch[i].body());
      if (answer == RegexAnswer::kMatch) {
        extract();
        headers.set(batch[i], values_);
      } else if (answer == RegexAnswer::kGaveUp) {
        gave_up_.add();
      }
    }
    gave_up_.say_if_any();
    unreadable_.say_if_any();
  }

 private:
  void extract() {
    bool all_readable = true;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto text = regex_.group(static_cast<std::uint32_t>(i + 1));
      values_[i] = text ? serializers_[i]->serialize(*text) : std::nullopt;
      all_readable = all_readable && (!text || values_[i]);
    }
    if (!all_readable) {
      unreadable_.add();
    }
  }

  JavaRegex regex_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<ExtractorSerializer>> serializers_;
  std::vector<std::optional<std::string_view>> values_;  // Of the event at hand.
  PassedOver gave_up_;
  PassedOver unreadable_;
};

const RegisterInterceptor<RegexExtractorInterceptor> regex_extractor_entry{
    "regex_extractor", "org.apache.flume.interceptor.RegexExtractorInterceptor",
    "Makes headers of the groups that a regular expression finds in the body."};

}  // namespace millrace
