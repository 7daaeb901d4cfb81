// Drops events by their bodies (Flume 1.11,
// org.apache.flume.interceptor.RegexFilteringInterceptor).
#include "core/registry.h"
#include "interceptor/regex_support.h"

namespace millrace {

struct RegexFilterConfig {
  std::string regex = ".*";
  bool exclude_events = false;

  static constexpr auto fields() {
    using C = RegexFilterConfig;
    return std::tuple{
        field("regex", &C::regex, "Java regular expression, looked for anywhere in the body.")
            .example("level=ERROR"),
        field("excludeEvents", &C::exclude_events,
              "Drop the events that match; otherwise those that do not."),
    };
  }
  void check(ConfigCheck& check) const { check_regex(check, "regex", regex); }
};

// An event over which the search gives up is kept, whatever the filter is for.
class RegexFilterInterceptor final : public Interceptor {
 public:
  using Config = RegexFilterConfig;
  RegexFilterInterceptor(const Config& config, const InterceptorContext& context)
      : regex_(checked_regex(config.regex)),
        dropped_(config.exclude_events ? RegexAnswer::kMatch : RegexAnswer::kNoMatch),
        gave_up_(context, kGaveUpCounter, "the search for its expression gave up") {}

  void apply(EventBatch::Builder& batch) override {
    batch.drop_if([this](const EventRef& event) {
      const RegexAnswer answer = regex_.find(event.body());
      if (answer == RegexAnswer::kGaveUp) {
        gave_up_.add();
      }
      return answer == dropped_;
    });
    gave_up_.say_if_any();
  }

 private:
  JavaRegex regex_;
  const RegexAnswer dropped_;
  PassedOver gave_up_;
};

const RegisterInterceptor<RegexFilterInterceptor> regex_filter_entry{
    "regex_filter", "org.apache.flume.interceptor.RegexFilteringInterceptor",
    "Keeps or drops events by a regular expression on their bodies."};

}  // namespace millrace
