// Rewrites bodies (Flume 1.11, org.apache.flume.interceptor.SearchAndReplaceInterceptor).
#include <optional>

#include "base/check.h"
#include "config/charset.h"
#include "core/registry.h"
#include "interceptor/regex_support.h"

namespace millrace {

struct SearchReplaceConfig {
  std::string search_pattern;
  std::string replace_string;
  std::string charset = "UTF-8";

  static constexpr auto fields() {
    using C = SearchReplaceConfig;
    return std::tuple{
        field("searchPattern", &C::search_pattern,
              "Java regular expression; each of its matches in the body is replaced.")
            .required()
            .example("password=\\S+"),
        field("replaceString", &C::replace_string,
              "What takes its place; $1 and ${name} stand for groups, \\$ for a $.")
            .example("password=***"),
        field("charset", &C::charset, "Encoding of the bodies."),
    };
  }
  void check(ConfigCheck& check) const {
    const Result<JavaRegex> regex = JavaRegex::compile(search_pattern);
    if (!regex.ok()) {
      check_regex(check, "searchPattern", search_pattern);
      return;
    }
    if (const auto made = (*regex).replacement(replace_string); !made.ok()) {
      check.fault("replaceString", made.error().message());
    }
    if (!is_utf8(charset) && !TextConverter::make(charset, "UTF-8").ok()) {
      check.fault("charset", "is no encoding that is known here");
    }
  }
};

// A body that is not of the charset, over which the search gives up, or that would grow by more
// than 64 MiB stays as it is.
class SearchReplaceInterceptor final : public Interceptor {
 public:
  using Config = SearchReplaceConfig;
  SearchReplaceInterceptor(const Config& config, const InterceptorContext& context)
      : regex_(checked_regex(config.search_pattern)),
        replacement_(regex_.replacement(config.replace_string).value()),
        gave_up_(context, kGaveUpCounter,
                 "the search for its expression gave up, or the new body is too large"),
        unconverted_(context, "EventUnconvertedCount", "not of the charset " + config.charset) {
    if (!is_utf8(config.charset)) {
      from_ = TextConverter::make(config.charset, "UTF-8").value();
      to_ = TextConverter::make("UTF-8", config.charset).value();
    }
  }

  void apply(EventBatch::Builder& batch) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      rewrite(batch, batch[i]);
    }
    gave_up_.say_if_any();
    unconverted_.say_if_any();
  }

 private:
  static constexpr std::size_t kGrowth = std::size_t{64} << 20;
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // Bytes, for the next event.

  void rewrite(EventBatch::Builder& batch, EventRef& event) {
    const std::optional<std::string_view> text =
        from_ ? from_->convert(event.body()) : std::optional(event.body());
    const RegexAnswer answer =
        text ? regex_.replace_all(*text, replacement_, text->size() + kGrowth, replaced_)
             : RegexAnswer::kNoMatch;
    if (text && answer == RegexAnswer::kNoMatch) {
      return;
    }
    const std::optional<std::string_view> body = answer != RegexAnswer::kMatch ? std::nullopt
                                                 : to_ ? to_->convert(replaced_)
                                                       : std::optional<std::string_view>(replaced_);
    if (body) {
      const std::string_view stored = batch.store_read_body(*body);
      event.body_data = stored.data();
      event.body_size = static_cast<std::uint32_t>(stored.size());
    } else {
      (answer == RegexAnswer::kGaveUp ? gave_up_ : unconverted_).add();
    }
    if (replaced_.capacity() > kKept) {
      std::string().swap(replaced_);
    }
  }

  JavaRegex regex_;
  const JavaReplacement replacement_;
  std::optional<TextConverter> from_;  // Nothing: UTF-8.
  std::optional<TextConverter> to_;
  std::string replaced_;
  PassedOver gave_up_;
  PassedOver unconverted_;
};

const RegisterInterceptor<SearchReplaceInterceptor> search_replace_entry{
    "search_replace", "org.apache.flume.interceptor.SearchAndReplaceInterceptor",
    "Replaces what a regular expression finds in the bodies."};

}  // namespace millrace
