// Removes headers (Flume 1.11, org.apache.flume.interceptor.RemoveHeaderInterceptor).
#include <algorithm>
#include <optional>
#include <vector>

#include "core/registry.h"
#include "interceptor/regex_support.h"

namespace millrace {

struct RemoveHeaderConfig {
  std::string with_name;
  std::string from_list;
  std::string from_list_separator = "\\s*,\\s*";
  std::string matching;

  static constexpr auto fields() {
    using C = RemoveHeaderConfig;
    return std::tuple{
        field("withName", &C::with_name, "Name of a header to remove."),
        field("fromList", &C::from_list, "Names of headers to remove.").example("id,session,trace"),
        field("fromListSeparator", &C::from_list_separator,
              "Java regular expression of what stands between the names of fromList."),
        field("matching", &C::matching,
              "Java regular expression; headers whose whole name matches are removed."),
    };
  }
  void check(ConfigCheck& check) const {
    check_regex(check, "fromListSeparator", from_list_separator);
    check_regex(check, "matching", matching);
    if (with_name.empty() && from_list.empty() && matching.empty()) {
      check.warn("withName", "nothing is removed: give withName, fromList or matching");
    }
  }
};

// The keys may be combined: a header goes that one of them names.
class RemoveHeaderInterceptor final : public Interceptor {
 public:
  using Config = RemoveHeaderConfig;
  RemoveHeaderInterceptor(const Config& config, const InterceptorContext& context)
      : names_(split(config.from_list, config.from_list_separator)),
        gave_up_(context, kGaveUpCounter, "the search for its expression gave up on a header") {
    if (!config.with_name.empty()) {
      names_.push_back(config.with_name);
    }
    if (!config.matching.empty()) {
      matching_ = checked_regex(config.matching);
    }
  }

  void apply(EventBatch::Builder& batch) override {
    batch.edit_headers([this](HeaderEditor& headers) {
      going_.clear();
      for (const auto& [name, value] : headers.headers()) {
        if (goes(name)) {
          going_.push_back(name);
        }
      }
      for (const std::string_view name : going_) {
        headers.erase(name);
      }
    });
    gave_up_.say_if_any();
  }

 private:
  // As Java's String.split().
  static std::vector<std::string> split(const std::string& list, const std::string& separator) {
    constexpr char kBetween = '\0';
    JavaRegex regex = checked_regex(separator);
    const Result<JavaReplacement> between = regex.replacement(std::string_view("\0", 1));
    std::string replaced;
    const bool is_split = regex.replace_all(list, between.value(), 2 * list.size() + 1, replaced) ==
                          RegexAnswer::kMatch;
    const std::string& joined = is_split ? replaced : list;
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= joined.size();) {
      const std::size_t end = std::min(joined.find(kBetween, at), joined.size());
      if (end > at) {
        names.push_back(joined.substr(at, end - at));
      }
      at = end + 1;
    }
    return names;
  }

  bool goes(std::string_view name) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      return true;
    }
    const RegexAnswer answer = matching_ ? matching_->matches(name) : RegexAnswer::kNoMatch;
    if (answer == RegexAnswer::kGaveUp) {
      gave_up_.add();
    }
    return answer == RegexAnswer::kMatch;
  }

  std::vector<std::string> names_;
  std::vector<std::string_view> going_;  // Of the headers at hand.
  std::optional<JavaRegex> matching_;
  PassedOver gave_up_;
};

const RegisterInterceptor<RemoveHeaderInterceptor> remove_header_entry{
    "remove_header", "org.apache.flume.interceptor.RemoveHeaderInterceptor",
    "Removes headers by name, list or regular expression."};

}  // namespace millrace
